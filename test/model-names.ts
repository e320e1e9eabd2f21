/**
 * Model names to draw from, by provider: old and new ones, so that constraints that go by the model are met on both
 * sides.
 */
export const models: Readonly<Record<string, readonly (string | undefined)[]>> = {
  anthropic: ['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5-5', 'claude-3-5-haiku-latest'],
  openai: ['gpt-4o', 'gpt-5', 'gpt-4.1-mini'],
  'openai-responses': ['gpt-5.4', 'gpt-4o', 'o4-mini'],
  azure: ['gpt-4o', 'gpt-5'],
  gemini: ['gemini-2.5-flash', 'gemini-3-flash-preview', 'gemini-3.6-flash'],
  vertex: ['gemini-2.5-pro', 'gemini-3-pro-preview', 'claude-sonnet-4-6'],
  bedrock: [
    'us.anthropic.claude-sonnet-4-6-v1:0',
    'anthropic.claude-3-5-sonnet-20240620-v1:0',
    'amazon.nova-pro-v1:0',
    'meta.llama3-1-70b-instruct-v1:0',
  ],
  mistral: ['mistral-large-latest', 'mistral-small-latest'],
  deepseek: ['deepseek-chat', 'deepseek-reasoner', 'deepseek-v4-flash'],
  moonshot: ['kimi-k2-thinking', 'kimi-k2.6', 'moonshot-v1-8k'],
  dashscope: ['qwen-max', 'qwen3-coder-plus'],
  zhipu: ['glm-4.7', 'glm-5'],
  xai: ['grok-4.3', 'grok-4-1-fast-non-reasoning'],
  groq: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b'],
  cerebras: ['gpt-oss-120b', 'llama3.1-8b'],
  perplexity: ['sonar', 'sonar-reasoning-pro'],
  mimo: ['mimo-v2.5-pro', 'mimo-v2-flash'],
  minimax: ['MiniMax-M2', 'MiniMax-M2.5'],
  openrouter: ['anthropic/claude-sonnet-4.6', 'openai/gpt-5', 'mistralai/mistral-large', 'deepseek/deepseek-v4'],
  copilot: ['gpt-5', 'claude-sonnet-4.6'],
  llamacpp: ['qwen3', 'mistral-7b-instruct'],
  vllm: ['Qwen/Qwen3-8B', 'mistralai/Mistral-7B-Instruct-v0.3'],
  ollama: ['qwen3', 'gpt-oss:120b'],
}
