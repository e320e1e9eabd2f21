/**
 * The one error class, with a closed table of codes.
 * Thrown for wrong use only: what stands in a history is a finding, never an exception.
 */

/** What each code says. A type, so that a bundle does not carry words that nobody prints. */
export interface ErrorCodes {
  readonly 'not-a-history': 'what was given is neither a list of messages nor a request body that holds one'
  readonly 'unknown-provider': 'there is no provider of that name'
  readonly 'unknown-dialect': 'there is no dialect of that name, or the provider does not serve it'
  readonly 'unknown-policy': 'a policy has no such class or no such choice'
  readonly 'unknown-notation': 'a line of the history notation could not be read'
  readonly 'stale-patch': 'the patch was made for another history'
  readonly 'bad-option': 'an option has a value that makes no sense'
  readonly conflict: 'somebody else wrote first, or what a change was made for has changed'
  readonly fenced: 'somebody else holds the session now'
  readonly 'unknown-outcome': 'the connection broke while writing: it may or may not be stored'
  readonly 'store-failed': 'the database refused or could not be reached; nothing was written'
  readonly 'store-busy': 'the database stayed locked by others for too long; nothing was written'
  readonly 'store-newer': 'the database was written by a newer version of this library'
  readonly 'store-missing': 'the driver of a database is not installed'
  readonly 'package-missing': 'an optional package that this needs is not installed'
  readonly 'store-unsafe': 'the database could lose or corrupt data the way it is set up'
  readonly refused: 'the provider refused the request, and no recovery helped'
  readonly 'no-such-turn': 'the session has no turn of that number'
  readonly 'stale-cursor': 'the conversation was taken back since the page before was read'
  readonly 'nothing-to-undo': 'there is no change left that could be taken back'
}

export type ErrorCode = keyof ErrorCodes

export class SutureError extends Error {
  override readonly name = 'SutureError'
  readonly code: ErrorCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    detail: Readonly<Record<string, unknown>> = {},
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options)
    this.code = code
    this.detail = detail
  }
}

export function isSutureError(error: unknown, code?: ErrorCode): error is SutureError {
  return error instanceof SutureError && (code === undefined || error.code === code)
}
