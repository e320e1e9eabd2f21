/**
 * Errors for an answer that broke off, in the shape that Node's own `fetch` gives them: SDKs and agents take it for a lost connection and retry.
 */

/** An answer broke off after something of it had reached the caller. `cause` is what broke it, where it is known. */
export function streamCut(why: string, cause?: unknown): TypeError {
  return connectionError('terminated', why, cause)
}

/** An answer broke off before anything of it had reached the caller. */
export function noResponse(why: string, cause?: unknown): TypeError {
  const error = connectionError('fetch failed', why, cause)
  early.add(error)
  return error
}

/** Whether this is an error of `unanswered`. */
export function isNoResponse(error: unknown): error is TypeError {
  return typeof error === 'object' && error !== null && early.has(error)
}

const early = new WeakSet<object>()

function connectionError(message: string, why: string, cause: unknown): TypeError {
  const code = 'ECONNRESET'
  const inner = cause instanceof Error ? cause : Object.assign(new Error(`other side closed: ${why}`), { code })
  return Object.assign(new TypeError(message, { cause: inner }), { code })
}
