/** Finds where the members of a JSON object and the elements of a JSON array begin and end in their bytes. */
import { endOfKnownValue } from './end-of-known-value.ts'
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, skipSpace, stringEnd } from './scan.ts'

export type JsonObject = Readonly<Record<string, unknown>>

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

/** The members of the object at `at`; undefined if a key is repeated. `arrayKey`: also finds this member's elements. */
export function membersOf(bytes: Uint8Array, at: number, parsed: JsonObject, arrayKey?: string): Members | undefined {
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
    if (key === arrayKey && bytes[value] === OPEN_LIST && Array.isArray(known)) found = elementsOf(bytes, value, known)
    const end = key === arrayKey && found ? found.end : endOfKnownValue(bytes, value, known)
    keys.push(key)
    starts.push(next)
    values.push(value)
    ends.push(end)
    next = skipSpace(bytes, end)
  }
  return { keys, starts, values, ends, end: next + 1, elements: found }
}

export function elementsOf(bytes: Uint8Array, at: number, parsed: readonly unknown[]): Elements {
  const starts: number[] = []
  const ends: number[] = []
  let next = skipSpace(bytes, at + 1)
  while (bytes[next] !== CLOSE_LIST) {
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
    const end = endOfKnownValue(bytes, next, parsed[starts.length])
    starts.push(next)
    ends.push(end)
    next = skipSpace(bytes, end)
  }
  if (starts.length !== parsed.length) throw new RangeError('The bytes do not match the parsed array.')
  return { starts, ends, end: next + 1 }
}

function keyAt(bytes: Uint8Array, start: number, end: number): string {
  const raw = decoder.decode(bytes.subarray(start + 1, end - 1))
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}
