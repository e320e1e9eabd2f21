/**
 * The one error class, with a closed table of codes and the detail that each code carries.
 * Thrown for wrong use and for failures of a store or a provider; a broken history gives findings, never an exception.
 */

/** What each code means. A type, so that a bundle does not contain the texts. */
export interface ErrorCodes {
  readonly 'not-a-history': 'the value is neither a list of messages nor a request body that contains one'
  readonly 'unknown-provider': 'there is no provider with this name'
  readonly 'unknown-dialect': 'there is no dialect with this name, or the provider does not serve it'
  readonly 'unknown-policy': 'the policy has no such name, or the name has no such choice'
  readonly 'unknown-notation': 'a line of the history notation could not be read'
  readonly 'stale-patch': 'the patch was made for another history'
  readonly 'bad-option': 'an option or an argument has a value that is not accepted'
  readonly conflict: 'another writer was first, or what the change was made for has changed'
  readonly fenced: 'another owner holds the session now'
  readonly 'unknown-outcome': 'the connection broke while writing: it may or may not be stored'
  readonly 'store-failed': 'the database reported an error or could not be reached; nothing was written'
  readonly 'store-busy': 'the database stayed locked by other connections for too long; nothing was written'
  readonly 'store-newer': 'the database was written by a newer version of this library'
  readonly 'store-missing': 'the driver of a database is not installed'
  readonly 'package-missing': 'a required optional package is not installed'
  readonly 'store-unsafe': 'the database could lose or corrupt data with its current settings'
  readonly rejected: 'the provider rejected the request, and no recovery helped'
  readonly 'no-such-turn': 'the session has no turn with this number'
  readonly 'stale-cursor': 'the session was reverted after the previous page was read'
  readonly 'nothing-to-undo': 'there is no change left to undo'
}

/** What went wrong, for programs: `SutureError.code`. */
export type ErrorCode = keyof ErrorCodes

/** What `error.detail` has for each code. A key is absent if it is not known or does not apply. */
export interface ErrorDetails {
  readonly 'not-a-history': NoDetail
  readonly 'unknown-provider': { readonly provider?: unknown }
  readonly 'unknown-dialect': { readonly dialect?: unknown; readonly session?: string; readonly stored?: string }
  readonly 'unknown-policy': { readonly name?: string; readonly choice?: unknown }
  readonly 'unknown-notation': { readonly line?: unknown; readonly number?: number }
  /** Where the history differs, as a JSON pointer; empty: at the root. */
  readonly 'stale-patch': { readonly at?: string }
  /** `name`: the option, if there is one. */
  readonly 'bad-option': { readonly name?: unknown; readonly [key: string]: unknown }
  readonly conflict: {
    readonly session?: string
    /** The position at which the writer expected the session to end, and where it ends. */
    readonly expected?: number | 'any'
    readonly actual?: number
    readonly owner?: string | null
    readonly operationId?: string
    readonly upTo?: number
  }
  readonly fenced: { readonly session?: string; readonly owner?: string | null; readonly epoch?: number }
  readonly 'unknown-outcome': StoreDetail & { readonly operationId?: string }
  readonly 'store-failed': StoreDetail
  readonly 'store-busy': { readonly waitedMs?: number }
  readonly 'store-newer': { readonly found?: number; readonly known?: number }
  readonly 'store-missing': NoDetail
  readonly 'package-missing': { readonly package?: string }
  readonly 'store-unsafe': {
    readonly file?: string
    readonly journal?: string
    readonly version?: string
    readonly mount?: string
  }
  /** The HTTP status and the body of the response. */
  readonly rejected: { readonly status?: number; readonly text?: string }
  readonly 'no-such-turn': { readonly turn?: number; readonly known?: number }
  readonly 'stale-cursor': { readonly cursor?: string | undefined }
  readonly 'nothing-to-undo': NoDetail
}

export interface StoreDetail {
  readonly store?: string
  /** The code of the database or of the operating system. */
  readonly code?: unknown
  readonly file?: string
  readonly session?: string
  readonly commits?: number
  readonly milliseconds?: number
}

type NoDetail = Readonly<Record<string, never>>

/** The error of this library: wrong use, a failed store, a rejected request. `code` names it, `detail` has its data. */
export class SutureError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'SutureError'
  readonly code: Code
  readonly detail: ErrorDetails[Code]

  constructor(
    code: Code,
    message: string,
    detail: ErrorDetails[Code] = {} as ErrorDetails[Code],
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options)
    this.code = code
    this.detail = detail
  }
}

/** One error type per code, so that comparing `code` narrows `detail`. */
export type SutureErrorOf<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode ? SutureError<Code> : never

/** Whether this is an error of Suture, with this code if one is given. Narrows `code` and `detail`. */
export function isSutureError<const Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is SutureErrorOf<Code> {
  return error instanceof SutureError && (code === undefined || error.code === code)
}
