import type { Endpoint } from '../judge.ts'

/** Every provider that the contract emulates. */
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

/** The provider of an endpoint if the request names none. */
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
