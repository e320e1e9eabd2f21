/**
 * The error body of each provider, around a rejection.
 */

import type { Body, Rejection } from './rejection.ts'

/** Anthropic. The request id is constant: the same request gets the same bytes. */
export const anthropicBody: Body = (rejection) => anthropicError(rejection, 'req_011CSuture000000000000000')

function anthropicError(rejection: Rejection, requestId: string): unknown {
  const error = { type: 'invalid_request_error', message: rejection.message }
  return { type: 'error', error, request_id: requestId }
}

/** Claude on Vertex: the Anthropic body as a string inside a Google body. */
export const vertexAnthropicBody: Body = (rejection) => ({
  error: {
    code: 400,
    message: JSON.stringify(anthropicError(rejection, 'req_vrtx_011CSuture00000000000000')),
    status: 'INVALID_ARGUMENT',
  },
})

/** OpenAI Chat Completions and Responses. */
export const openaiBody: Body = (rejection) => ({
  error: {
    message: rejection.message,
    type: rejection.type ?? 'invalid_request_error',
    param: rejection.param ?? null,
    code: rejection.code ?? null,
  },
})

/** Gemini. Streaming endpoints answer with an array and repeat the message under `errors`. */
export const geminiBody: Body = (rejection, request) => {
  const error = { code: 400, message: rejection.message, status: 'INVALID_ARGUMENT' }
  if (!request.stream) return { error }
  const errors = [{ message: rejection.message, domain: 'global', reason: 'badRequest' }]
  return [{ error: { ...error, errors } }]
}

/** Bedrock Converse; also Bedrock Invoke. */
export const bedrockBody: Body = (rejection) => ({ message: rejection.message })

/** Mistral. Schema errors (422) are a pydantic `detail` list instead. */
export const mistralBody: Body = (rejection) => {
  if (rejection.status === 422)
    return { detail: [{ type: rejection.type, loc: rejection.at, msg: rejection.message, input: null }] }
  const { message, type = 'invalid_request_error', code = null } = rejection
  return { object: 'error', message, type, param: null, code }
}

/** DeepSeek: `code` repeats the type. */
export const deepseekBody: Body = (rejection) => ({
  error: { message: rejection.message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
})

/** Kimi and Groq: no `param`. */
export const plainErrorBody: Body = (rejection) => ({
  error: { message: rejection.message, type: 'invalid_request_error' },
})

/** DashScope. */
export const dashscopeBody: Body = (rejection) => ({
  error: {
    code: 'invalid_parameter_error',
    param: null,
    message: rejection.message,
    type: 'invalid_request_error',
  },
})

/** GLM: the number of the error as a string. */
export const zhipuBody: Body = (rejection) => ({
  error: { code: rejection.code ?? '1214', message: rejection.message },
})

/** xAI: `error` is a string and `code` is prose. */
export const xaiBody: Body = (rejection) => ({
  code: 'Client specified an invalid argument',
  error: rejection.message,
})

/** Cerebras: flat, no `error` key. */
export const cerebrasBody: Body = (rejection) => ({
  message: rejection.message,
  type: 'invalid_request_error',
  param: rejection.param ?? null,
  code: rejection.code ?? 'wrong_api_format',
})

/** Perplexity: the status as `code`, no `param`. */
export const perplexityBody: Body = (rejection) => ({
  error: {
    message: rejection.message,
    type: rejection.type ?? 'invalid_request_error',
    code: rejection.status ?? 400,
  },
})

/** MiMo: the same text for every error, and the reason in `param`. */
export const mimoBody: Body = (rejection) => ({
  error: { code: String(rejection.status ?? 400), message: 'Param Incorrect', param: rejection.message, type: '' },
})

/** llama.cpp: the status repeated as `code`. */
export const llamacppBody: Body = (rejection) => ({
  error: {
    code: rejection.status ?? 400,
    message: rejection.message,
    type: rejection.type ?? 'invalid_request_error',
  },
})

/** vLLM. */
export const vllmBody: Body = (rejection) => ({
  object: 'error',
  message: rejection.message,
  type: 'BadRequestError',
  param: null,
  code: rejection.status ?? 400,
})
