/**
 * The one error class, with a closed table of codes.
 * Thrown for wrong use only: what stands in a history is a finding, never an exception.
 */
export const errorCodes = {
  'not-a-history': 'what was given is neither a list of messages nor a request body that holds one',
  'unknown-provider': 'there is no provider of that name',
  'unknown-dialect': 'there is no dialect of that name, or the provider does not serve it',
  'unknown-policy': 'a policy has no such class or no such choice',
  'unknown-notation': 'a line of the history notation could not be read',
  'stale-patch': 'the patch was made for another history',
  'bad-option': 'an option has a value that makes no sense',
} as const

export type ErrorCode = keyof typeof errorCodes

export class SutureError extends Error {
  override readonly name = 'SutureError'
  readonly code: ErrorCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

export function isSutureError(error: unknown, code?: ErrorCode): error is SutureError {
  return error instanceof SutureError && (code === undefined || error.code === code)
}
