/**
 * Finds where the members of a JSON object and the elements of a JSON array begin and end in their bytes.
 * Expects bytes that JSON.parse has accepted: it looks for ends, not for errors.
 */
export type JsonObject = Readonly<Record<string, unknown>>

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Elements of an array: element i is `bytes[starts[i], ends[i])`. */
export interface Elements {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** The offset after the closing bracket. */
  readonly end: number
}

/** Members of an object: `starts` are the keys' quotes, `values` where the values begin. */
export interface Members extends Elements {
  readonly keys: readonly string[]
  readonly values: readonly number[]
  /** The elements of the array member that was asked for. */
  readonly elements: Elements | undefined
}

const decoder = new TextDecoder()

/** The offset after the value that begins at `at`. `value`: the parsed value, which may speed up the search. */
export type FindEnd = (bytes: Uint8Array, at: number, value: unknown) => number

/** The members of the object at `at`; undefined if a key is repeated. `arrayKey`: also finds this member's elements. */
export function membersOf(
  bytes: Uint8Array,
  at: number,
  parsed: JsonObject,
  findEnd: FindEnd,
  arrayKey?: string,
): Members | undefined {
  const keys: string[] = []
  const starts: number[] = []
  const values: number[] = []
  const ends: number[] = []
  const seen = new Set<string>()
  let found: Elements | undefined
  let next = skipSpace(bytes, at + 1)
  while (bytes[next] !== CLOSE_OBJECT) {
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
    const keyEnd = stringEnd(bytes, next)
    const key = keyAt(bytes, next, keyEnd)
    if (seen.has(key)) return undefined
    seen.add(key)
    // After the key: space, the colon, space.
    const value = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1)
    const known = parsed[key]
    if (key === arrayKey && bytes[value] === OPEN_LIST && Array.isArray(known))
      found = elementsOf(bytes, value, known, findEnd)
    const end = key === arrayKey && found ? found.end : findEnd(bytes, value, known)
    keys.push(key)
    starts.push(next)
    values.push(value)
    ends.push(end)
    next = skipSpace(bytes, end)
  }
  return { keys, starts, values, ends, end: next + 1, elements: found }
}

export function elementsOf(bytes: Uint8Array, at: number, parsed: readonly unknown[], findEnd: FindEnd): Elements {
  const starts: number[] = []
  const ends: number[] = []
  let next = skipSpace(bytes, at + 1)
  while (bytes[next] !== CLOSE_LIST) {
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
    const end = findEnd(bytes, next, parsed[starts.length])
    starts.push(next)
    ends.push(end)
    next = skipSpace(bytes, end)
  }
  if (starts.length !== parsed.length) throw new RangeError('The bytes do not match the parsed array.')
  return { starts, ends, end: next + 1 }
}

/** Where the first value begins: after white space and a byte order mark. */
export function startOf(bytes: Uint8Array): number {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return skipSpace(bytes, marked ? 3 : 0)
}

function keyAt(bytes: Uint8Array, start: number, end: number): string {
  const raw = decoder.decode(bytes.subarray(start + 1, end - 1))
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
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

function stringEnd(bytes: Uint8Array, at: number): number {
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
