/**
 * Counts the JSON values of a body without parsing it. A megabyte of `{},{}` takes twenty megabytes when it is parsed,
 * and two hundred when its parts are read. Such a body is not parsed.
 */
import type { BodyData } from './body-text.ts'

/** A body may have this many values, and one more for each 8 bytes. The densest valid histories have 9 bytes each. */
const FREE = 10_000
const BYTES_PER_VALUE = 8

const QUOTE = 34
const BACKSLASH = 92
/** Most strings are short. For those, a loop over the next characters is faster than `indexOf`. */
const NEAR = 48

/** 1 for the characters that begin another value: `,` `[` `{`. */
const BEGINS = new Uint8Array(256)
for (const character of ',[{') BEGINS[character.charCodeAt(0)] = 1

/** An estimate of the number of values, never too low. Undefined: more than a body of its size may have. */
export function valuesIn(body: BodyData): number | undefined {
  const { length } = body
  const most = FREE + length / BYTES_PER_VALUE
  if (length <= most) return length
  let count = 1
  for (let i = 0; i < length && count <= most; i++) {
    const code = codeAt(body, i)
    if (code === QUOTE) i = endOfString(body, i + 1)
    else if (code < 256) count += BEGINS[code]!
  }
  return count > most ? undefined : count
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

/** An upper bound of the memory of a parsed body: two bytes for each character, 160 for each value. */
export function parsedSize({ length }: BodyData, values: number): number {
  return length * 2 + values * 160
}
