/**
 * Counts the JSON values of a body without parsing it. A megabyte of `{},{}` takes twenty megabytes when it is parsed,
 * and two hundred when its parts are read. Such a body is not parsed.
 */
import type { BodyData } from './body-text.ts'

/** A body may have this many values, and one more for each 8 bytes. The densest valid histories have 9 bytes each. */
const FREE = 10_000
const BYTES_PER_VALUE = 8

const QUOTE = 34
const COLON = 58
const COMMA = 44
/** `[` and `{`: a string that begins with one may be JSON. */
const INSIDE: ReadonlySet<number> = new Set([91, 123])
const BACKSLASH = 92
/** Most strings are short. For those, a loop over the next characters is faster than `indexOf`. */
const NEAR = 48

/** 1 for the characters that begin another value: `,` `[` `{`. */
const BEGINS = new Uint8Array(256)
for (const character of ',[{') BEGINS[character.charCodeAt(0)] = 1

/** An estimate of the number of values and keys, never too low. Undefined: more than a body of its size may have. */
export function valuesIn(body: BodyData): number | undefined {
  const { length } = body
  const most = FREE + length / BYTES_PER_VALUE
  if (length <= most) return length
  let [count, keys] = [1, 0]
  for (let i = 0; i < length && count <= most; i++) {
    const code = codeAt(body, i)
    if (code === QUOTE) {
      const end = endOfString(body, i + 1)
      if (INSIDE.has(codeAt(body, i + 1))) keys += commasIn(body, i + 2, end) / 2
      i = end
    } else if (code === COLON) keys++
    else if (code < 256) count += BEGINS[code]!
  }
  return count > most ? undefined : count + keys
}

/** Arguments and results that are JSON in a string are parsed as well. Most of their values are small. */
function commasIn(body: BodyData, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (codeAt(body, i) === COMMA) count++
  return count
}

/** The index of the quote that ends the string which begins here. */
function endOfString(body: BodyData, from: number): number {
  let i = from
  for (;;) {
    for (const near = Math.min(body.length, i + NEAR); i < near; i++) {
      const code = codeAt(body, i)
      if (code === QUOTE) return i
      if (code === BACKSLASH) i++
    }
    const found = typeof body === 'string' ? body.indexOf('"', i) : body.indexOf(QUOTE, i)
    if (found < 0) return body.length
    let escapes = found
    while (escapes > i && codeAt(body, escapes - 1) === BACKSLASH) escapes--
    if ((found - escapes) % 2 === 0) return found
    i = found + 1
  }
}

function codeAt(body: BodyData, i: number): number {
  return typeof body === 'string' ? body.charCodeAt(i) : body[i]!
}

/**
 * An upper bound of the memory of a parsed body: 160 bytes for each value and key, and two for each character in the
 * text of the body and again in its strings.
 */
export function parsedSize({ length }: BodyData, values: number): number {
  return length * 4 + values * 160
}
