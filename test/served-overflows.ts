/**
 * The providers whose words say that a request is too long, each at one endpoint.
 */
import type { Endpoint } from '../contract/index.ts'

export const served: readonly (readonly [provider: string, endpoint: Endpoint, model: string])[] = [
  ['anthropic', 'messages', 'claude-sonnet-4-5'],
  ['vertex', 'messages', 'claude-sonnet-4-5'],
  ['openai', 'chat', 'gpt-5'],
  ['openai-responses', 'responses', 'gpt-5'],
  ['azure', 'chat', 'gpt-5'],
  ['gemini', 'gemini', 'gemini-2.5-pro'],
  ['bedrock', 'converse', 'claude-sonnet-4-5'],
  ['mistral', 'chat', 'mistral-large'],
  ['deepseek', 'chat', 'deepseek-chat'],
  ['moonshot', 'chat', 'kimi-k2'],
  ['dashscope', 'chat', 'qwen-max'],
  ['xai', 'chat', 'grok-4'],
  ['groq', 'chat', 'llama-3.3'],
  ['perplexity', 'chat', 'sonar'],
  ['minimax', 'chat', 'MiniMax-M2.5'],
  ['openrouter', 'chat', 'openai/gpt-5'],
  ['copilot', 'chat', 'gpt-5'],
  ['llamacpp', 'chat', 'qwen3'],
  ['vllm', 'chat', 'qwen3'],
  ['ollama', 'chat', 'qwen3'],
]

/** Why a provider has no row. */
export const withoutOverflow: Readonly<Record<string, string>> = {
  cerebras: 'rejects it without a body, so the cause is not known',
  zhipu: 'accepts the request, and answers with a stop reason of its own',
  mimo: 'accepts the request, and leaves no room for output',
}
