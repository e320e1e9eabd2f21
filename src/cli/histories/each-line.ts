/** Reads the lines of a range of a file in chunks: memory does not grow with the file. */
import { readSync } from 'node:fs'

/** One buffer for all files: a new one each time makes V8 collect the whole heap. Fits into the processor's cache. */
let chunk: Buffer | undefined
const CHUNK = 1024 * 1024
/** A longer line is reported and skipped. Every provider rejects a request of this size. */
export const LONGEST_LINE = 64 * 1024 * 1024

/** The bytes of a line are from `from` up to `to`, and only during the call. `from > to`: the line is too long. */
export type OnLine = (bytes: Buffer, from: number, to: number) => void

/** Calls back for each line that begins at or after `start` and before `end`. Not reentrant: there is one buffer. */
export function eachLine(file: number, start: number, end: number, onLine: OnLine): void {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK)
  let buffer = chunk
  let held = 0
  // The line that began before belongs to the range before: read from one byte earlier, up to the first line break.
  let position = start === 0 ? 0 : start - 1
  let skipped: 'before' | 'too long' | undefined = start > 0 ? 'before' : undefined
  for (;;) {
    const read = readSync(file, buffer, held, buffer.length - held, position)
    const filled = held + read
    let from = 0
    for (let at = buffer.indexOf(10, held); at >= 0 && at < filled; at = buffer.indexOf(10, from)) {
      if (skipped === undefined) onLine(buffer, from, at)
      else if (skipped === 'too long') onLine(buffer, 1, 0)
      skipped = undefined
      from = at + 1
      // Position of `from` in the file.
      if (position - held + from >= end) return
    }
    position += read
    const isLast = read === 0 || (skipped !== undefined && position >= end)
    if (isLast && skipped === 'too long') onLine(buffer, 1, 0)
    if (isLast && skipped === undefined && filled > from) onLine(buffer, from, filled)
    if (isLast) return
    held = skipped === undefined ? filled - from : 0
    if (held > 0) buffer.copy(buffer, 0, from, filled)
    if (held === buffer.length && held >= LONGEST_LINE) {
      skipped = 'too long'
      held = 0
    } else if (held === buffer.length) buffer = Buffer.concat([buffer], Math.min(LONGEST_LINE, held * 2))
  }
}
