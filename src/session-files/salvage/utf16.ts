/**
 * Files in UTF-16, as some editors and shells of Windows write them: recognized, turned into UTF-8, offsets mapped
 * back.
 */
import type { FileRecord, Quarantined, SalvageNote } from '../types.ts'
import { bytesOf } from './bytes.ts'

export interface Utf16Text {
  readonly bytes: Uint8Array
  readonly markBytes: number
  /** Offsets in `bytes`, ascending, as offsets in the file as given. */
  offsetsOf(offsets: readonly number[]): readonly number[]
}

/** The file as UTF-8, or undefined if it is not UTF-16. */
export function fromUtf16(file: Uint8Array): Utf16Text | undefined {
  const [a, b, c, d] = file
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const bare = (opens(a) && b === 0 && c !== 0 && d === 0) || (a === 0 && opens(b) && c === 0 && d !== 0)
  if ((!marked && !bare) || file.length < 4) return undefined
  const littleEndian = marked ? a === 0xff : opens(a)
  const markBytes = marked ? 2 : 0
  const even = file.subarray(markBytes, file.length - ((file.length - markBytes) % 2))
  const bytes = bytesOf(decodeUnits(even, littleEndian))
  return { bytes, markBytes, offsetsOf: (offsets) => mapOffsets(bytes, offsets, markBytes) }
}

/** The first character of an object or a list. */
function opens(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b
}

function decodeUnits(bytes: Uint8Array, littleEndian: boolean): string {
  const low = littleEndian ? 0 : 1
  let text = ''
  const units: number[] = []
  for (let at = 0; at < bytes.length; at += 2) {
    units.push(bytes[at + low]! | (bytes[at + 1 - low]! << 8))
    if (units.length === 8192) text += String.fromCharCode(...units.splice(0))
  }
  return text + String.fromCharCode(...units)
}

/** UTF-8 to UTF-16 offsets in one pass: a sequence of four bytes is two units, every other one is one. */
function mapOffsets(bytes: Uint8Array, offsets: readonly number[], markBytes: number): readonly number[] {
  let at = 0
  let units = 0
  return offsets.map((offset) => {
    for (; at < offset; at++) {
      const byte = bytes[at]!
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    }
    return markBytes + units * 2
  })
}

type Placed = Pick<FileRecord, 'start' | 'end' | 'line' | 'rewritten'>

export interface FoundIn<T> {
  readonly records: readonly T[]
  readonly quarantined: readonly Quarantined[]
  readonly notes: readonly SalvageNote[]
}

/** What was found in the text, with places in the UTF-16 file; each record is written as UTF-8. */
export function inUtf16File<T extends Placed>(found: FoundIn<T>, text: Utf16Text, file: Uint8Array): FoundIn<T> {
  const starts = text.offsetsOf(found.records.map(({ start }) => start))
  const ends = text.offsetsOf(found.records.map(({ end }) => end))
  const lost = text.offsetsOf(found.quarantined.map(({ offset }) => offset))
  const lostEnds = text.offsetsOf(found.quarantined.map(({ offset, bytes }) => offset + bytes.length))
  const records = found.records.map((record, i) => ({
    ...record,
    start: starts[i]!,
    end: ends[i]!,
    rewritten: record.rewritten ?? text.bytes.slice(record.start, record.end),
  }))
  const quarantined = found.quarantined.map((one, i) => ({
    ...one,
    offset: lost[i]!,
    bytes: file.slice(lost[i]!, lostEnds[i]!),
  }))
  if (text.markBytes > 0)
    quarantined.unshift({ line: 1, offset: 0, bytes: file.slice(0, text.markBytes), reason: 'byte-order-mark' })
  if ((file.length - text.markBytes) % 2)
    quarantined.push({
      line: found.records.at(-1)?.line ?? 1,
      offset: file.length - 1,
      bytes: file.slice(-1),
      reason: 'torn-record',
    })
  return { records, quarantined, notes: [{ line: 1, kind: 'utf-16' }, ...found.notes] }
}
