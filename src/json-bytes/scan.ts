/** Finds where JSON values end in bytes that JSON.parse has accepted: it looks for ends, not for errors. */
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Where the first value begins: after white space and a byte order mark. */
export function startOf(bytes: Uint8Array): number {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return skipSpace(bytes, marked ? 3 : 0)
}

export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  while (bytes[i]! <= 0x20) i++
  if (i >= bytes.length) throw new RangeError('The bytes end inside a value.')
  return i
}

export function valueEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first === QUOTE) return stringEnd(bytes, at)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return containerEnd(bytes, at)
  let i = at
  while (i < bytes.length && !endsWord(bytes[i]!)) i++
  return i
}

function endsWord(byte: number): boolean {
  return byte <= 0x20 || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT
}

function containerEnd(bytes: Uint8Array, at: number): number {
  let depth = 0
  let i = at
  while (i < bytes.length) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = stringEnd(bytes, i)
      continue
    }
    i++
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return i
  }
  throw new RangeError('The bytes end inside a value.')
}

/** A loop is faster for short strings, `indexOf` for long ones: most bytes of a request are in long strings. */
const SHORT_STRING = 32

export function stringEnd(bytes: Uint8Array, at: number): number {
  let i = at + 1
  while (i < bytes.length) {
    for (const until = i + SHORT_STRING; i < until; i++) {
      const byte = bytes[i]
      if (byte === QUOTE) return i + 1
      if (byte === BACKSLASH) i++
    }
    const quote = bytes.indexOf(QUOTE, i)
    if (quote < 0) break
    let slashes = quote
    while (slashes > i && bytes[slashes - 1] === BACKSLASH) slashes--
    if ((quote - slashes) % 2 === 0) return quote + 1
    i = quote + 1
  }
  throw new RangeError('The bytes end inside a string.')
}
