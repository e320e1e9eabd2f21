/**
 * That a client has left, told to whoever works for it. As much of an `AbortSignal` as is used on the way: a real one costs more than all else
 * that is made for a request, and is made when somebody outside asks for it.
 */
type Listener = () => void

export class Left {
  aborted = false
  private listeners: Listener[] | undefined
  private signal: AbortController | undefined

  get reason(): Error {
    return new DOMException('The client left.', 'AbortError')
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

  /** For those who look closely. */
  real(): AbortSignal {
    this.signal ??= new AbortController()
    if (this.aborted) this.signal.abort(this.reason)
    return this.signal.signal
  }
}

/** The signal of a request as an `AbortSignal`, whatever it was. */
export function realOf<T extends AbortSignal | undefined>(signal: T): T | AbortSignal {
  return signal instanceof Left ? signal.real() : signal
}
