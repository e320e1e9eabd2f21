/** Further answers of a request for several. The stream is complete when all of them have ended. */
export class Others {
  readonly #ended = new Map<number, boolean>()

  /** Part of an answer. Data after its end (filters, usage) does not reopen it. */
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
