/**
 * A bound on the lines of a stream: the guard holds a line until it is whole, so one without an end would fill the memory.
 */
import type { Source } from '../guard/core.ts'

const LONGEST = 16 * 1024 * 1024

/** Breaks off where a line grows past the bound; the client then gets the error event it waits for. */
export function bounded(source: Source, longest = LONGEST): Source {
  let length = 0
  return {
    async read() {
      const piece = await source.read()
      if (!piece) return piece
      const at = piece.lastIndexOf(10)
      length = at < 0 ? length + piece.length : piece.length - at - 1
      if (length <= longest) return piece
      source.cancel()
      throw new Error('A line of the stream is too long.')
    },
    cancel: (reason) => source.cancel(reason),
  }
}
