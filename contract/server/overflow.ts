import type { Failure, IncomingRequest, Reply } from './types.ts'

/** The provider's text for a prompt that is too long: `n` tokens were sent, `m` fit. Undefined if there is none. */
export function overflow(ask: IncomingRequest, m: number): Failure | undefined {
  const n = ask.tokens
  if (ask.endpoint === 'messages') return { status: 400, message: `prompt is too long: ${n} tokens > ${m} maximum` }
  if (ask.endpoint === 'gemini')
    return { status: 400, message: `The input token count (${n}) exceeds the maximum number of tokens allowed (${m}).` }
  if (ask.endpoint === 'converse') return { status: 400, message: 'Input is too long for requested model.' }
  const words = CHAT[ask.provider]
  if (words) return words(n, m, ask.model)
  if (SILENT.includes(ask.provider)) return
  return ask.endpoint === 'responses' ? RESPONSES : openai(n, m)
}

/**
 * Answers of providers that accept such a prompt: MiMo cuts it so that there is no room for output, others have a stop
 * reason of their own.
 */
export function overfull({ provider }: IncomingRequest): Reply {
  return provider === 'mimo' ? { text: '', stop: 'length', usage: { output: 0 } } : { text: '', stop: 'overflow' }
}

const SILENT = ['zhipu', 'mimo']

const RESPONSES: Failure = {
  status: 400,
  message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  code: 'context_length_exceeded',
  param: 'input',
}

type Words = (n: number, m: number, model: string) => Failure

const openai = (n: number, m: number): Failure => ({
  status: 400,
  message: `This model's maximum context length is ${m} tokens. However, your messages resulted in ${n} tokens. Please reduce the length of the messages.`,
  code: 'context_length_exceeded',
  param: 'messages',
})

const plain =
  (text: (n: number, m: number) => string): Words =>
  (n, m) => ({ status: 400, message: text(n, m) })

const CHAT: Readonly<Record<string, Words>> = {
  openrouter: plain(
    (n, m) =>
      `This endpoint's maximum context length is ${m} tokens. However, you requested about ${n} tokens (${n} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
  ),
  copilot: (n, m) => ({
    status: 400,
    message: `prompt token count of ${n} exceeds the limit of ${m}`,
    code: 'model_max_prompt_tokens_exceeded',
  }),
  xai: plain((n, m) => `This model's maximum prompt length is ${m} but the request contains ${n} tokens`),
  groq: (n, m, model) => ({
    status: 413,
    message: `Request too large for model \`${model}\` in organization \`org_suture\` service tier \`on_demand\` on tokens per minute (TPM): Limit ${m}, Requested ${n}, Please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    type: 'tokens',
    code: 'rate_limit_exceeded',
  }),
  mistral: plain((n, m) => `Prompt contains ${n} tokens, too large for model with ${m} maximum context length`),
  moonshot: plain((n, m) => `Invalid request: Your request exceeded model token limit: ${m} (requested: ${n})`),
  dashscope: plain((_n, m) => `<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${m}]`),
  vllm: plain(
    (n, m) => `This model's maximum context length is ${m} tokens. However, your request has ${n} input tokens.`,
  ),
  llamacpp: plain(() => 'the request exceeds the available context size, try increasing it'),
  ollama: plain((n, m) => `prompt too long; exceeded max context length by ${n - m} tokens`),
  // No body at all: an empty message marks it.
  cerebras: () => ({ status: 400, message: '' }),
}
