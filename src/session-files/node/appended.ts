/**
 * Records that an agent appends to a file while it is replaced. Only whole lines of JSON objects after a common end are
 * taken over: anything else means that the file was rewritten.
 */
import { fstatSync, fsyncSync, readSync, writeSync } from 'node:fs'
import { isObject, SutureError } from '../../core/index.ts'
import { fromJson } from '../json-values.ts'

export class AppendedRecords {
  /** How many bytes of the old file were read. */
  private at: number
  private readonly pieces: Buffer[] = []
  private readonly before: Uint8Array
  /** The line that is not complete yet. */
  private line: Buffer
  private readonly hasCommonEnd: boolean
  private readonly shown: string

  constructor(before: Uint8Array, after: Uint8Array, shown: string) {
    this.before = before
    this.at = before.length
    this.line = Buffer.from(lastLine(before))
    this.hasCommonEnd = this.line.equals(lastLine(after))
    this.shown = shown
  }

  /** What was appended since the last call. Throws `conflict` if that are no records. */
  take(file: number): Buffer {
    const { size } = fstatSync(file)
    if (size < this.at) throw changed(this.shown)
    const piece = readRange(file, this.at, size)
    if (piece.length === 0) return piece
    const lines = Buffer.concat([this.line, piece])
    const end = lines.lastIndexOf(10) + 1
    if (!this.hasCommonEnd || !areRecords(lines.subarray(0, end))) throw changed(this.shown)
    this.line = lines.subarray(end)
    this.at += piece.length
    this.pieces.push(piece)
    return piece
  }

  /** The old file is what was read at first, and what was taken since. */
  isUnchanged(file: number): boolean {
    const now = readRange(file, 0, this.at)
    return now.equals(Buffer.concat([this.before, ...this.pieces]))
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces)
  }
}

function lastLine(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.lastIndexOf(10) + 1)
}

function areRecords(lines: Buffer): boolean {
  return lines
    .toString('utf8')
    .split('\n')
    .every((line) => line.trim() === '' || isObject(fromJson(line)))
}

/**
 * Puts bytes at a position, before what others have appended after it. They are appended first and then change places
 * with what is before them, so that nothing moves that is appended meanwhile.
 */
export function insertAt(file: number, appending: number, position: number, bytes: Uint8Array): void {
  const { size } = fstatSync(file)
  writeAll(appending, bytes)
  const others = readRange(file, position, fstatSync(file).size)
  const at = others.indexOf(bytes, size - position)
  if (at > 0) writeAll(file, Buffer.concat([bytes, others.subarray(0, at)]), position)
  fsyncSync(file)
}

export function readRange(file: number, from: number, end: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, end - from))
  let at = 0
  for (let read = 1; read > 0 && at < bytes.length; at += read)
    read = readSync(file, bytes, at, bytes.length - at, from + at)
  return bytes.subarray(0, at)
}

/** In one call, if the system takes all of it. */
export function writeAll(file: number, bytes: Uint8Array, position: number | null = null): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at)
}

export function changed(path: string): SutureError {
  return new SutureError(
    'conflict',
    `${path} has changed since it was read. Nothing was written. Run the command again.`,
  )
}
