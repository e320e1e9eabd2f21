/**
 * Bytes that wait for more bytes.
 * Doubles its capacity, so that a long line in one-byte chunks takes linear time.
 */
export class Held {
  #bytes = new Uint8Array(0)
  #from = 0
  #to = 0

  /** The held bytes followed by this chunk. The chunk is not copied if nothing is held. */
  with(chunk: Uint8Array): Uint8Array {
    if (this.#from === this.#to) return chunk
    this.#add(chunk)
    return this.#bytes.subarray(this.#from, this.#to)
  }

  get length(): number {
    return this.#to - this.#from
  }

  /** Holds the bytes that `with` returned, from `at` on. */
  keep(bytes: Uint8Array, at: number): void {
    if (bytes.buffer === this.#bytes.buffer) {
      this.#from += at
    } else {
      this.#from = 0
      this.#to = 0
      if (at < bytes.length) this.#add(bytes.subarray(at))
    }
  }

  #add(chunk: Uint8Array): void {
    const length = this.length
    if (this.#to + chunk.length > this.#bytes.length) {
      const room = length + chunk.length
      // Moves the bytes to the front if half of the buffer is free, else doubles it.
      const target = room * 2 <= this.#bytes.length ? this.#bytes : new Uint8Array(Math.max(256, room * 2))
      target.set(this.#bytes.subarray(this.#from, this.#to), 0)
      this.#bytes = target
      this.#from = 0
      this.#to = length
    }
    this.#bytes.set(chunk, this.#to)
    this.#to += chunk.length
  }
}
