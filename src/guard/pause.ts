/** Waits this long. An abort ends it at once and removes the timer. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  if (milliseconds <= 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish, { once: true })
    function finish() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}

/** Settles like the work. After this long it settles with what `late` returns or throws, and the work is ignored. */
export function within<T, Late = never>(milliseconds: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late())
      } catch (error) {
        reject(error)
      }
    }, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export const LATE = Symbol('late')

/** A promise that resolves with LATE after this time, for `Promise.race`. */
export function timer(milliseconds: number): { passed: Promise<typeof LATE>; stop(): void } {
  let handle: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<typeof LATE>((resolve) => {
    handle = setTimeout(resolve, milliseconds, LATE)
  })
  return { passed, stop: () => clearTimeout(handle) }
}
