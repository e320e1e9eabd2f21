/**
 * Files in UTF-16, as some editors and shells of Windows write them: recognized, turned into UTF-8, offsets mapped back.
 */
import { bytesOf } from './bytes.ts'

export interface Utf16Text {
  readonly bytes: Uint8Array
  readonly markBytes: number
  readonly littleEndian: boolean
  /** Offsets in `bytes`, ascending, as offsets in the file as given. */
  offsetsOf(offsets: readonly number[]): readonly number[]
}

/** The file as UTF-8, or undefined if it is not UTF-16. */
export function fromUtf16(file: Uint8Array): Utf16Text | undefined {
  const [a, b, c, d] = file
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const bare = (a === 0x7b && b === 0 && c !== 0 && d === 0) || (a === 0 && b === 0x7b && c === 0 && d !== 0)
  if ((!marked && !bare) || file.length < 4) return undefined
  const littleEndian = marked ? a === 0xff : a === 0x7b
  const markBytes = marked ? 2 : 0
  const even = file.subarray(markBytes, file.length - ((file.length - markBytes) % 2))
  const bytes = bytesOf(decodeUnits(even, littleEndian))
  return { bytes, markBytes, littleEndian, offsetsOf: (offsets) => mapOffsets(bytes, offsets, markBytes) }
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
