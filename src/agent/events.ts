/** Events as they come, for one reader; they wait until they are read. */
export class Events<T> {
  private readonly ready: T[] = []
  private wake: (() => void) | undefined
  private over = false

  push(event: T): void {
    if (this.over) return
    this.ready.push(event)
    this.wake?.()
  }

  end(): void {
    this.over = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      if (this.ready.length > 0) yield this.ready.shift()!
      else if (this.over) return
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
  }
}
