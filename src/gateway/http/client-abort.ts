/**
 * A minimal abort signal for a disconnected client. A real `AbortController` with one listener costs about 10 µs per
 * request, this class 0.2 µs, so one is created only for libraries that need it (`real()`).
 */
type Listener = () => void

export class ClientAbort {
  aborted = false
  private listeners: Listener[] | undefined
  private signal: AbortController | undefined

  get reason(): Error {
    return new DOMException('The client disconnected.', 'AbortError')
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.listeners ??= []
    this.listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    const at = this.listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.listeners!.splice(at, 1)
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    for (const listener of this.listeners ?? []) listener()
    this.listeners = undefined
    this.signal?.abort(this.reason)
  }

  /** A real `AbortSignal`, for other libraries. */
  real(): AbortSignal {
    this.signal ??= new AbortController()
    if (this.aborted) this.signal.abort(this.reason)
    return this.signal.signal
  }
}

/** The signal of a request as an `AbortSignal`. */
export function realSignal<T extends AbortSignal | undefined>(signal: T): T | AbortSignal {
  return signal instanceof ClientAbort ? signal.real() : signal
}
