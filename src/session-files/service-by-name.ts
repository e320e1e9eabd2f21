/** The provider and the dialect of a conversation, from the names that agents write into their files. */
import type { ProviderId } from '../providers/index.ts'
import type { WriterDialect } from './history-writer.ts'

export interface NamedService {
  readonly provider: ProviderId
  readonly dialect: WriterDialect
}

/**
 * In order: the first name that occurs decides. Hosts of many models come first, since their model names contain
 * makers.
 */
const SERVICES: readonly (readonly [RegExp, ProviderId, WriterDialect])[] = [
  [/^openai/, 'openai', 'openai-chat'],
  [/openrouter/, 'openrouter', 'openai-chat'],
  [/copilot/, 'copilot', 'openai-chat'],
  [/azure/, 'azure', 'openai-chat'],
  [/bedrock|vertex.{0,200}claude|claude.{0,200}vertex/, 'anthropic', 'anthropic-messages'],
  [/groq/, 'groq', 'openai-chat'],
  [/cerebras/, 'cerebras', 'openai-chat'],
  [/ollama/, 'ollama', 'openai-chat'],
  [/vllm/, 'vllm', 'openai-chat'],
  [/llama.?cpp/, 'llamacpp', 'openai-chat'],
  [/perplexity|sonar/, 'perplexity', 'openai-chat'],
  [/anthropic|claude/, 'anthropic', 'anthropic-messages'],
  [/google|gemini|vertex/, 'gemini', 'gemini'],
  [/mistral|codestral|devstral/, 'mistral', 'openai-chat'],
  [/deepseek/, 'deepseek', 'openai-chat'],
  [/moonshot|kimi/, 'moonshot', 'openai-chat'],
  [/dashscope|qwen|alibaba/, 'dashscope', 'openai-chat'],
  [/xai|grok/, 'xai', 'openai-chat'],
  [/zhipu|zai|glm/, 'zhipu', 'openai-chat'],
  [/minimax/, 'minimax', 'openai-chat'],
  [/mimo/, 'mimo', 'openai-chat'],
]

const DEFAULT: NamedService = { provider: 'openai', dialect: 'openai-chat' }

/** By the provider's name, else by the model's; OpenAI chat if neither is known. */
export function serviceByName(...names: readonly (string | undefined)[]): NamedService {
  for (const name of names) {
    const lower = name?.toLowerCase()
    const found = lower === undefined ? undefined : SERVICES.find(([pattern]) => pattern.test(lower))
    if (found) return { provider: found[1], dialect: found[2] }
  }
  return DEFAULT
}

/** Every service that `serviceByName` can give, for tests. */
export const namedServices: readonly NamedService[] = [
  DEFAULT,
  ...SERVICES.map(([, provider, dialect]) => ({ provider, dialect })),
]
