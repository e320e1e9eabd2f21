import type { Endpoint } from '../judge.ts'

/** Every provider the contract stands in for. */
export const PROVIDERS = [
  'anthropic',
  'openai',
  'openai-responses',
  'azure',
  'gemini',
  'vertex',
  'bedrock',
  'mistral',
  'deepseek',
  'moonshot',
  'dashscope',
  'zhipu',
  'xai',
  'groq',
  'cerebras',
  'perplexity',
  'mimo',
  'openrouter',
  'copilot',
  'llamacpp',
  'vllm',
  'ollama',
] as const

/** Who answers at an endpoint when no one was named. */
export const DEFAULT_PROVIDER: Readonly<Record<Endpoint, string>> = {
  messages: 'anthropic',
  chat: 'openai',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock',
}

export function isProvider(id: string): boolean {
  return (PROVIDERS as readonly string[]).includes(id)
}
