import { asObject } from '../json.ts'
import type { Failure, IncomingRequest, JsonObject } from '../types.ts'

/** The body of an error in the provider's own format. */
export function failureBody(failure: Failure, ask: IncomingRequest): unknown {
  switch (ask.endpoint) {
    case 'messages':
      return ask.provider === 'vertex' ? vertexFailure(failure, ask) : anthropicFailure(failure, ask)
    case 'gemini':
      return ask.stream ? [googleStreamFailure(failure)] : googleFailure(failure)
    case 'converse':
      return { message: failure.message }
    case 'chat':
    case 'responses':
      return chatFailure(failure, ask)
  }
}

export function chatFailure(failure: Failure, { provider, seed }: IncomingRequest): JsonObject {
  const { status, message, type = 'invalid_request_error', code = null, param = null } = failure
  switch (provider) {
    case 'mistral':
      return { object: 'error', message, type, param, code }
    case 'cerebras':
      return { message, type, param, code }
    case 'xai':
      return { code: code ?? 'Client specified an invalid argument', error: message }
    case 'openrouter':
      return { error: { message, code: status }, user_id: `user_${seed}` }
    case 'azure':
      return status === 429 ? { error: { code, message } } : { error: { message, type, param, code } }
    case 'zhipu':
      return { error: { code: code ?? '1210', message } }
    case 'vllm':
      return { object: 'error', message, type: status === 400 ? 'BadRequestError' : type, param, code: status }
    case 'moonshot':
    case 'groq':
      return { error: { message, type, ...(code === null ? {} : { code }) } }
    case 'perplexity':
      return { error: { message, type, code: status } }
    case 'mimo':
      return { error: { code: String(status), message, param: '', type: '' } }
    case 'llamacpp':
      return { error: { code: status, message, type } }
    default:
      return { error: { message, type, param, code } }
  }
}

export function googleFailure({ status, message, type = GOOGLE[status] ?? 'UNKNOWN' }: Failure): JsonObject {
  return { error: { code: status, message, status: type } }
}

// Streaming endpoints repeat it in the older format.
function googleStreamFailure(failure: Failure): JsonObject {
  const { error } = googleFailure(failure)
  const reason = failure.status === 400 ? 'badRequest' : failure.status === 429 ? 'rateLimitExceeded' : 'backendError'
  return { error: { ...asObject(error), errors: [{ message: failure.message, domain: 'global', reason }] } }
}

const GOOGLE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

function anthropicFailure(
  { status, message, type = 'invalid_request_error' }: Failure,
  { seed }: IncomingRequest,
): JsonObject {
  // Rejected before it reaches the API: no `type` around it, and no id (anthropics/claude-code#10314).
  if (status === 413) return { error: { type, message } }
  return { type: 'error', error: { type, message }, request_id: `req_${seed}` }
}

// Claude on Vertex: Anthropic's JSON as a string inside Google's.
function vertexFailure(failure: Failure, ask: IncomingRequest): JsonObject {
  const inner = { ...anthropicFailure(failure, ask), request_id: `req_vrtx_${ask.seed}` }
  return googleFailure({ status: failure.status, message: JSON.stringify(inner) })
}
