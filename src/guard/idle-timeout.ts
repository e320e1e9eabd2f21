/**
 * How long nothing may come from a provider. Only waiting counts: a caller who takes his time is not the provider's silence.
 */

import type { ByteSource } from './byte-source.ts'
import type { OutgoingRequest, Send, UpstreamResponse } from './transport.ts'

/** What a wait that was too long ends with; named as runtimes name it where a signal runs out of time. */
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

/** The same, but not longer than so many milliseconds; `stop` ends what was waited for. */
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

/** A source that breaks off when nothing comes for so long. */
function withIdleTimeout(source: ByteSource, longest: number): ByteSource {
  return {
    read: () => within(longest, source.read(), (error) => source.cancel(error)),
    cancel: (reason) => source.cancel(reason),
  }
}

/** A signal of one's own beside the caller's. */
function abortableSignal(signal: AbortSignal | undefined): { signal: AbortSignal; stop(reason: unknown): void } {
  const own = new AbortController()
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    stop: (reason) => own.abort(reason),
  }
}
