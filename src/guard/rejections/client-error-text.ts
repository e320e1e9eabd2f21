/**
 * The text of an error as a client has it: a string, a parsed body, or an Error of an SDK with the body in one of its
 * fields.
 */
import { isObject, orUndefined, SutureError } from '../../core/index.ts'
import { given } from '../../core/options.ts'

/**
 * Fields in which clients keep the body of a rejection: openai and anthropic `error`, the AI SDK `responseBody` and
 * `data`, AWS and axios `response`, Suture `detail`; genai has only the message.
 */
const BODIES = [
  'error',
  'responseBody',
  'body',
  'data',
  'response',
  'rawBody',
  'cause',
  'errors',
  'lastError',
  'detail',
] as const
const DEEPEST = 4

export function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null || error instanceof Promise)
    throw new SutureError(
      'bad-option',
      `explain takes the error that a client threw, the body of a response, or its text, but got ${error instanceof Promise ? 'a promise' : given(error)}. Pass what was caught or logged.`,
    )
  if (isResponse(error))
    throw new SutureError(
      'bad-option',
      'explain cannot read a Response object. Pass its text: explain(await response.text()).',
    )
  return isError(error) ? pieces(error, 0).join('\n') : json(error)
}

/** The status of a client's Error; 0 if it has none. */
export function statusOf(error: unknown): number {
  const { status, statusCode } = (isObject(error) ? error : {}) as { status?: unknown; statusCode?: unknown }
  const found = status ?? statusCode
  return typeof found === 'number' ? found : 0
}

/** Also an Error of another realm, which is not an instance of this realm's class. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** The body first: it has more detail than the message, which often quotes it in part. */
function pieces(error: object, depth: number): string[] {
  const found: string[] = []
  for (const name of BODIES) {
    const value = (error as Record<string, unknown>)[name]
    if (typeof value === 'string') found.push(value)
    else if (isError(value) && depth < DEEPEST) found.push(...pieces(value, depth + 1))
    else if (isObject(value) || Array.isArray(value)) found.push(isResponse(value) ? '' : json(value))
  }
  const { message } = error as { message?: unknown }
  if (typeof message === 'string') found.push(message)
  return [...new Set(found)].filter((text) => text !== '' && text !== '{}')
}

function isResponse(value: object): boolean {
  return typeof Response === 'function' && value instanceof Response
}

/** As JSON; a circular object is left out. */
function json(value: object): string {
  return orUndefined(() => JSON.stringify(value) ?? '') ?? ''
}
