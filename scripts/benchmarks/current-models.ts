/**
 * Of each provider and dialect the models that are current: `npm run bench` measures these, and with `--all` all of
 * bench/subjects.ts.
 */
export const CURRENT: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'anthropic anthropic-messages': ['claude-opus-5-5', 'claude-opus-4-6'],
  'openai openai-chat': ['gpt-5'],
  'openai-responses openai-responses': ['gpt-5.4'],
  'azure openai-chat': ['gpt-5'],
  'azure openai-responses': ['gpt-5'],
  'gemini gemini': ['gemini-3.6-flash'],
  'gemini openai-chat': ['gemini-3.6-flash'],
  'vertex gemini': ['gemini-3-pro-preview'],
  'vertex anthropic-messages': ['claude-sonnet-4-6'],
  'bedrock bedrock-converse': ['us.anthropic.claude-sonnet-4-6-v1:0', 'amazon.nova-pro-v1:0'],
  'bedrock anthropic-messages': ['us.anthropic.claude-sonnet-4-6-v1:0'],
  'mistral openai-chat': ['mistral-large-latest'],
  'deepseek openai-chat': ['deepseek-v4-flash'],
  'moonshot openai-chat': ['kimi-k2.6'],
  'dashscope openai-chat': ['qwen3-coder-plus'],
  'zhipu openai-chat': ['glm-5'],
  'xai openai-chat': ['grok-4.3'],
  'xai openai-responses': ['grok-4.3'],
  'groq openai-chat': ['openai/gpt-oss-120b'],
  'cerebras openai-chat': ['gpt-oss-120b'],
  'perplexity openai-chat': ['sonar-reasoning-pro'],
  'mimo openai-chat': ['mimo-v2.5-pro'],
  'minimax openai-chat': ['MiniMax-M2.5'],
  'openrouter openai-chat': ['anthropic/claude-sonnet-4.6', 'openai/gpt-5'],
  'copilot openai-chat': ['gpt-5'],
  'copilot openai-responses': ['gpt-5'],
  'copilot anthropic-messages': ['claude-sonnet-4.6'],
  'llamacpp openai-chat': ['qwen3'],
  'vllm openai-chat': ['Qwen/Qwen3-8B'],
  'ollama openai-chat': ['gpt-oss:120b'],
  'ai-sdk ai-sdk': [undefined],
  'ai-sdk-ui ai-sdk-ui': [undefined],
  'langchain langchain': [undefined],
}

export function isCurrent(provider: string, dialect: string, model: string | undefined): boolean {
  return CURRENT[`${provider} ${dialect}`]?.includes(model) ?? false
}
