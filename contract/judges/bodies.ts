/**
 * The error body of each provider, around a refusal.
 */

import type { Body, Refusal } from './refusal.ts'

/** A. The request id is constant: the same request gets the same bytes. */
export const anthropicBody: Body = (refusal) => anthropicError(refusal, 'req_011CSuture000000000000000')

function anthropicError(refusal: Refusal, requestId: string): unknown {
  const error = { type: 'invalid_request_error', message: refusal.message }
  return { type: 'error', error, request_id: requestId }
}

/** G, Vertex: the Anthropic body as a string inside a Google body. */
export const vertexAnthropicBody: Body = (refusal) => ({
  error: {
    code: 400,
    message: JSON.stringify(anthropicError(refusal, 'req_vrtx_011CSuture00000000000000')),
    status: 'INVALID_ARGUMENT',
  },
})

/** B, C. */
export const openaiBody: Body = (refusal) => ({
  error: {
    message: refusal.message,
    type: refusal.type ?? 'invalid_request_error',
    param: refusal.param ?? null,
    code: refusal.code ?? null,
  },
})

/** D. Streaming endpoints answer with an array and repeat the message under `errors`. */
export const geminiBody: Body = (refusal, asked) => {
  const error = { code: 400, message: refusal.message, status: 'INVALID_ARGUMENT' }
  if (!asked.stream) return { error }
  const errors = [{ message: refusal.message, domain: 'global', reason: 'badRequest' }]
  return [{ error: { ...error, errors } }]
}

/** E; also Bedrock Invoke. */
export const bedrockBody: Body = (refusal) => ({ message: refusal.message })

/** F. Schema faults (422) are a pydantic `detail` list instead. */
export const mistralBody: Body = (refusal) => {
  if (refusal.status === 422)
    return { detail: [{ type: refusal.type, loc: refusal.at, msg: refusal.message, input: null }] }
  const { message, type = 'invalid_request_error', code = null } = refusal
  return { object: 'error', message, type, param: null, code }
}

/** G, DeepSeek: `code` repeats the type. */
export const deepseekBody: Body = (refusal) => ({
  error: { message: refusal.message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
})

/** G, Kimi and Groq: no `param`. */
export const plainErrorBody: Body = (refusal) => ({
  error: { message: refusal.message, type: 'invalid_request_error' },
})

/** G, DashScope. */
export const dashscopeBody: Body = (refusal) => ({
  error: {
    code: 'invalid_parameter_error',
    param: null,
    message: refusal.message,
    type: 'invalid_request_error',
  },
})

/** G, GLM: the number of the fault as a string. */
export const zhipuBody: Body = (refusal) => ({ error: { code: refusal.code ?? '1214', message: refusal.message } })

/** G, xAI: `error` is a string and `code` is prose. */
export const xaiBody: Body = (refusal) => ({
  code: 'Client specified an invalid argument',
  error: refusal.message,
})

/** G, Cerebras: flat, no `error` key. */
export const cerebrasBody: Body = (refusal) => ({
  message: refusal.message,
  type: 'invalid_request_error',
  param: refusal.param ?? null,
  code: refusal.code ?? 'wrong_api_format',
})

/** G, Perplexity: the status as `code`, no `param`. */
export const perplexityBody: Body = (refusal) => ({
  error: {
    message: refusal.message,
    type: refusal.type ?? 'invalid_request_error',
    code: refusal.status ?? 400,
  },
})

/** G, MiMo: the same words for every fault, and the reason in `param`. */
export const mimoBody: Body = (refusal) => ({
  error: { code: String(refusal.status ?? 400), message: 'Param Incorrect', param: refusal.message, type: '' },
})

/** G, llama.cpp: the status repeated as `code`. */
export const llamacppBody: Body = (refusal) => ({
  error: {
    code: refusal.status ?? 400,
    message: refusal.message,
    type: refusal.type ?? 'invalid_request_error',
  },
})

/** F, vLLM. */
export const vllmBody: Body = (refusal) => ({
  object: 'error',
  message: refusal.message,
  type: 'BadRequestError',
  param: null,
  code: refusal.status ?? 400,
})
