import type { Failure, IncomingRequest } from './types.ts'

/**
 * Errors of a provider that is busy, broken or overloaded, by status. As reported, with invented account numbers; texts
 * without a report are our own, and docs/guide/contract.md lists them.
 */
export function failureOf(status: number, ask: IncomingRequest): Failure {
  switch (ask.endpoint) {
    case 'messages':
      return { status, ...(ANTHROPIC[status] ?? { type: 'api_error', message: 'Internal server error' }) }
    case 'gemini':
      return { status, message: GOOGLE[status] ?? GOOGLE[500]! }
    case 'converse':
      return { status, message: BEDROCK[status] ?? 'The system encountered an unexpected error. Try again.' }
    case 'chat':
    case 'responses': {
      const own = status === 429 ? BUSY[ask.provider]?.(ask.model) : undefined
      return { status, ...(own ?? (status === 429 ? openaiBusy(ask.model) : (OPENAI[status] ?? OPENAI[500]!))) }
    }
  }
}

/** A body that is too large: most use 413. */
export function tooLarge(ask: IncomingRequest, bytes: number): Failure {
  // google-gemini/deprecated-generative-ai-android#26, MaKTaiL/gemini-srt-translator#63
  if (ask.endpoint === 'gemini')
    return { status: 400, message: `Request payload size exceeds the limit: ${bytes} bytes.` }
  return failureOf(413, ask)
}

type Words = Omit<Failure, 'status'>

const ANTHROPIC: Readonly<Record<number, Words>> = {
  400: { type: 'invalid_request_error', message: 'Error' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  404: { type: 'not_found_error', message: 'Not found' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  // anthropics/claude-code#71670
  429: {
    type: 'rate_limit_error',
    message: "This request would exceed your account's rate limit. Please try again later.",
  },
  504: { type: 'timeout_error', message: 'Request timed out.' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

const OPENAI: Readonly<Record<number, Words>> = {
  400: { message: 'Bad request.' },
  401: { message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  404: { message: 'Not found.', code: 'not_found' },
  413: { message: 'Request Entity Too Large' },
  // LlmKira/Openaibot#177
  500: {
    type: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
    code: 'server_error',
  },
  // Wei-Shaw/sub2api#6631
  503: {
    type: 'service_unavailable_error',
    message: 'Our servers are currently overloaded. Please try again later.',
    code: 'server_is_overloaded',
  },
}

/** Huanshere/VideoLingo#34 */
const openaiBusy = (model: string): Words => ({
  type: 'requests',
  message: `Rate limit reached for ${model} in organization org-suture on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
  code: 'rate_limit_exceeded',
})

/** Too many requests, for providers of OpenAI's dialect with another text. */
const BUSY: Readonly<Record<string, (model: string) => Words>> = {
  // jasonacox/TinyLLM#17
  azure: () => ({
    message:
      'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-08-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 26 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.',
    code: '429',
  }),
  // cline/cline#9085, raycast/extensions#31107
  mistral: () => ({ type: 'rate_limited', message: 'Rate limit exceeded', code: '1300' }),
  // openinterpreter/openinterpreter#408, elizaOS/eliza#4040
  groq: (model) => ({
    type: 'tokens',
    message: `Rate limit reached for model \`${model}\` in organization \`org_suture\` service tier \`on_demand\` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    code: 'rate_limit_exceeded',
  }),
  // LLM-Red-Team/kimi-cc#16, MoonshotAI/kimi-cli#1599
  moonshot: () => ({
    type: 'rate_limit_reached_error',
    message:
      'Your account org-suture<ak-suture> request reached organization max RPM: 3, please try again after 1 seconds',
  }),
  // kaitranntt/ccs#402
  zhipu: () => ({
    message:
      'High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits',
    code: '1302',
  }),
  // nminaya/grammar-nazi-bot#954
  cerebras: () => ({
    type: 'too_many_requests_error',
    message: 'Requests per minute limit exceeded - too many requests sent.',
    param: 'quota',
    code: 'request_quota_exceeded',
  }),
  // cline/cline#4826: the text; the code is ours
  xai: (model) => ({
    message: `Too many tokens for team suture and model ${model}. Your team's rate limit is — Tokens per Minute (actual/limit): 65605/16000. You can view your team rate limits at https://console.x.ai.`,
    code: 'Some resource has been exhausted',
  }),
  // langgenius/dify#12142: the text; its other endpoint reports that the quota is used up
  dashscope: () => ({ message: 'Requests rate limit exceeded, please try again later.', code: 'limit_requests' }),
  // Gitlawb/openclaude#936
  openrouter: () => ({
    message: 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
  }),
}

const GOOGLE: Readonly<Record<number, string>> = {
  400: 'Request contains an invalid argument.',
  // jlcodes99/cockpit-tools#669
  429: 'Resource has been exhausted (e.g. check quota).',
  // PublicAffairs/openai-gemini#15, google-gemini/gemini-cli#3477
  500: 'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  503: 'The model is overloaded. Please try again later.',
}

const BEDROCK: Readonly<Record<number, string>> = {
  400: 'The model returned the following errors: Error',
  413: 'Input is too long for requested model.',
  424: 'The model stream ended with an error.',
  429: 'Too many tokens, please wait before trying again.',
  // darko-mesaros/bedrust#47, aws-samples/foundation-model-benchmarking-tool#247
  503: 'Bedrock is unable to process your request.',
}
