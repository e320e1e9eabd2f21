import type { Ask, Failure } from './types.ts'

/** What a provider says when it is busy, broken or asked too much, by status. */
export function failureOf(status: number, ask: Ask): Failure {
  switch (ask.endpoint) {
    case 'messages':
      return { status, ...(ANTHROPIC[status] ?? { type: 'api_error', message: 'Internal server error' }) }
    case 'gemini':
      return { status, message: GOOGLE[status] ?? 'An internal error has occurred. Please retry.' }
    case 'converse':
      return { status, message: BEDROCK[status] ?? 'The system encountered an unexpected error. Try again.' }
    case 'chat':
    case 'responses':
      return { status, ...(OPENAI[status] ?? OPENAI[500]!) }
  }
}

type Words = Omit<Failure, 'status'>

const ANTHROPIC: Readonly<Record<number, Words>> = {
  400: { type: 'invalid_request_error', message: 'Error' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  404: { type: 'not_found_error', message: 'Not found' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  504: { type: 'timeout_error', message: 'Request timed out.' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

const OPENAI: Readonly<Record<number, Words>> = {
  400: { message: 'Bad request.' },
  401: { message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  404: { message: 'Not found.', code: 'not_found' },
  413: { message: 'Request Entity Too Large' },
  429: { type: 'requests', message: 'Rate limit reached for requests.', code: 'rate_limit_exceeded' },
  500: {
    type: 'server_error',
    message: 'The server had an error while processing your request.',
    code: 'server_error',
  },
  503: { type: 'server_error', message: 'The engine is currently overloaded.', code: 'server_error' },
}

const GOOGLE: Readonly<Record<number, string>> = {
  400: 'Request contains an invalid argument.',
  413: 'Request payload size exceeds the limit.',
  429: 'Resource has been exhausted (e.g. check quota).',
  503: 'The model is overloaded. Please try again later.',
}

const BEDROCK: Readonly<Record<number, string>> = {
  400: 'The model returned the following errors: Error',
  413: 'Input is too long for requested model.',
  424: 'The model stream ended with an error.',
  429: 'Too many tokens, please wait before trying again.',
  503: 'The service is temporarily unavailable.',
}
