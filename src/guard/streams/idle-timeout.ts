/**
 * Aborts if the provider sends nothing for too long. Only waiting for the provider counts, not a slow caller.
 */

import type { OutgoingRequest, Send, UpstreamResponse } from '../transport.ts'
import type { ByteSource } from './byte-source.ts'

/** The error of an idle timeout, with the name that runtimes use for timed-out signals. */
export class IdleTimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** One attempt; with a limit it is aborted if nothing arrives for this many milliseconds. */
export function sendWithIdleTimeout<U extends UpstreamResponse>(
  send: Send<U>,
  sending: OutgoingRequest,
  caller: AbortSignal | undefined,
  longest: number | undefined,
): Promise<U> {
  return longest === undefined ? send(sending) : sendWithin(longest, send, sending, caller)
}

async function sendWithin<U extends UpstreamResponse>(
  longest: number,
  send: Send<U>,
  sending: OutgoingRequest,
  caller: AbortSignal | undefined,
): Promise<U> {
  const { signal, stop } = abortableSignal(caller)
  const upstream = await within(longest, send({ ...sending, signal }), stop)
  return { ...upstream, body: withIdleTimeout(upstream.body, longest) }
}

/** Settles like the work, but rejects after this many milliseconds; `stop` ends the work. */
function within<T>(longest: number, waited: Promise<T>, stop: (error: IdleTimeoutError) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new IdleTimeoutError(
        `The provider sent nothing for ${longest} ms. Retry, or raise \`idleTimeoutMs\`.`,
      )
      stop(error)
      reject(error)
    }, longest)
    waited.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** A source that breaks off if nothing arrives for this long. */
function withIdleTimeout(source: ByteSource, longest: number): ByteSource {
  return {
    read: () => within(longest, source.read(), (error) => source.cancel(error)),
    cancel: (reason) => source.cancel(reason),
  }
}

/** An abort controller that also follows the caller's signal. */
function abortableSignal(signal: AbortSignal | undefined): { signal: AbortSignal; stop(reason: unknown): void } {
  const own = new AbortController()
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    stop: (reason) => own.abort(reason),
  }
}
