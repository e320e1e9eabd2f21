/**
 * A body looked at as single bytes. What is not ASCII is read wrong, but at half the price, and whether a history is valid does not depend on it:
 * quotes and brackets, ids and roles are what they are, and of texts rules only ask whether they are blank. Good for a look, never for a change.
 */
import { isAscii } from 'node:buffer'
import { isObject, type JsonObject } from '../core/index.ts'

/** Blanks beyond ASCII, as the bytes of UTF-8 read one by one: a text of nothing else would not look blank. */
const WIDE_BLANK = /\xc2\xa0|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80|\xef\xbb\xbf/
/** Bytes that are tested together: most blocks are ASCII. */
const BLOCK = 2048
const LONGEST_BLANK = 3

/** What it says but for letters beyond ASCII; undefined where that would not do, or is no cheaper. */
export function parseForPrecheck(body: Uint8Array): JsonObject | undefined {
  if (isAscii(body)) return undefined
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (hasWideBlank(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('latin1'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function hasWideBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const end = Math.min(bytes.length, at + BLOCK + LONGEST_BLANK - 1)
    if (!isAscii(bytes.subarray(at, end)) && WIDE_BLANK.test(bytes.toString('latin1', at, end))) return true
  }
  return false
}
