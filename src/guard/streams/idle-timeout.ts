/** Aborts if the provider sends nothing for too long. Only waiting for the provider counts, not a slow caller. */

import { within } from '../pause.ts'
import type { OutgoingRequest, Send, UpstreamResponse } from '../transport.ts'
import type { ByteSource } from './byte-source.ts'

/** The error of an idle timeout, with the name that runtimes use for timed-out signals. */
export class IdleTimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** One attempt; with a limit it is aborted if nothing arrives for this many milliseconds. */
export async function sendWithIdleTimeout<U extends UpstreamResponse>(
  send: Send<U>,
  sending: OutgoingRequest,
  caller: AbortSignal | undefined,
  longest: number | undefined,
): Promise<U> {
  if (longest === undefined) return send(sending)
  const own = new AbortController()
  const signal = caller ? AbortSignal.any([caller, own.signal]) : own.signal
  const late = () => timedOut(longest, (error) => own.abort(error))
  const upstream = await within(longest, send({ ...sending, signal }), late)
  return { ...upstream, body: withIdleTimeout(upstream.body, longest) }
}

/** Ends the work, and throws the error of an idle timeout. */
function timedOut(longest: number, stop: (error: IdleTimeoutError) => void): never {
  const error = new IdleTimeoutError(`The provider sent nothing for ${longest} ms. Retry, or raise \`idleTimeoutMs\`.`)
  stop(error)
  throw error
}

/** A source that breaks off if nothing arrives for this long. */
function withIdleTimeout(source: ByteSource, longest: number): ByteSource {
  return {
    read: () => within(longest, source.read(), () => timedOut(longest, (error) => source.cancel(error))),
    cancel: (reason) => source.cancel(reason),
  }
}
