/**
 * Errors for a response that broke off, in the form of Node's own `fetch`: SDKs and agents treat it as a lost
 * connection and retry.
 */

/** A response broke off after output had reached the caller. `cause`: the original error, if known. */
export function streamCut(why: string, cause?: unknown): TypeError {
  return connectionError('terminated', why, cause)
}

/** A response broke off before any output had reached the caller. */
export function noResponse(why: string, cause?: unknown): TypeError {
  const error = connectionError('fetch failed', why, cause)
  early.add(error)
  return error
}

/** Whether this is an error of `noResponse`. */
export function isNoResponse(error: unknown): error is TypeError {
  return typeof error === 'object' && error !== null && early.has(error)
}

const early = new WeakSet<object>()

function connectionError(message: string, why: string, cause: unknown): TypeError {
  const code = 'ECONNRESET'
  const inner = cause instanceof Error ? cause : Object.assign(new Error(`other side closed: ${why}`), { code })
  return Object.assign(new TypeError(message, { cause: inner }), { code })
}
