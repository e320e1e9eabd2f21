/**
 * How long nothing may come from a provider. Only waiting counts: a caller who takes his time is not the provider's silence.
 */
import type { Send, Sending, Upstream } from './core.ts'
import type { Source } from './source.ts'

/** What a wait that was too long ends with; named as runtimes name it where a signal runs out of time. */
export class Silent extends Error {
  override readonly name = 'TimeoutError'
}

/** One try: as it is where no limit is told, else broken off when nothing comes for so many milliseconds. */
export function reached<U extends Upstream>(
  send: Send<U>,
  sending: Sending,
  caller: AbortSignal | undefined,
  longest: number | undefined,
): Promise<U> {
  return longest === undefined ? send(sending) : reachedWithin(longest, send, sending, caller)
}

async function reachedWithin<U extends Upstream>(
  longest: number,
  send: Send<U>,
  sending: Sending,
  caller: AbortSignal | undefined,
): Promise<U> {
  const { signal, stop } = stoppable(caller)
  const upstream = await within(longest, send({ ...sending, signal }), stop)
  return { ...upstream, body: impatient(upstream.body, longest) }
}

/** The same, but not longer than so many milliseconds; `stop` ends what was waited for. */
function within<T>(longest: number, waited: Promise<T>, stop: (error: Silent) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Silent(
        `The provider sent nothing for ${longest} ms. Ask again, or allow more by \`longestSilence\`.`,
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
function impatient(source: Source, longest: number): Source {
  return {
    read: () => within(longest, source.read(), (error) => source.cancel(error)),
    cancel: (reason) => source.cancel(reason),
  }
}

/** A signal of one's own beside the caller's. */
function stoppable(signal: AbortSignal | undefined): { signal: AbortSignal; stop(reason: unknown): void } {
  const own = new AbortController()
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    stop: (reason) => own.abort(reason),
  }
}
