/** Small helpers on byte arrays. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0
  for (const part of parts) size += part.length
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Where a byte is between two places, or the end. */
export function findByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  const found = bytes.subarray(start, end).indexOf(byte)
  return found < 0 ? end : start + found
}

/** White space, or the comma between two elements. */
export function isSeparator(byte: number | undefined): boolean {
  return byte === 0x2c || isSpace(byte)
}

/** The same stretch without white space, or other gaps, at its ends. */
export function trimmed(
  bytes: Uint8Array,
  start: number,
  end: number,
  isGap: (byte: number | undefined) => boolean = isSpace,
): readonly [number, number] {
  let from = start
  let to = end
  while (from < to && isGap(bytes[from])) from++
  while (to > from && isGap(bytes[to - 1])) to--
  return [from, to]
}

/** Where the content begins: 3 after a byte order mark, else 0. */
export function afterMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** The JSON value of these bytes, or undefined. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
}
