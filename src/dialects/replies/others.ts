/**
 * Answers beside the first, where several were asked for: only when all of them came to their end is the stream whole.
 */
export class Others {
  readonly #ended = new Map<number, boolean>()

  /** Something came of this one. What comes after its end (filters, usage) does not open it again. */
  begun(index: number): void {
    if (!this.#ended.has(index)) this.#ended.set(index, false)
  }

  ended(index: number): void {
    this.#ended.set(index, true)
  }

  get open(): boolean {
    for (const ended of this.#ended.values()) if (!ended) return true
    return false
  }
}
