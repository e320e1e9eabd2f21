/**
 * Bodies as single bytes (latin1): exact if they are ASCII, otherwise enough for a first check. Then characters outside
 * ASCII are read wrong, but parsing takes half the time, and a check does not depend on them: quotes, brackets, ids and
 * roles are ASCII, and rules only test whether a text is blank. What was read wrong is never used to change a body.
 */
import { isAscii } from 'node:buffer'
import { isObject, type JsonObject } from '../../core/index.ts'

/** Non-ASCII white space in UTF-8, byte by byte: a text of only such characters would not look blank in latin1. */
const WIDE_BLANK = /\xc2\xa0|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80|\xef\xbb\xbf/
/** Bytes that are tested at a time: most blocks are ASCII. */
const BLOCK = 2048
const LONGEST_BLANK = 3

/** The body with wrong non-ASCII characters. Undefined: it is ASCII, has non-ASCII spaces, or is not a JSON object. */
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

const decoder = new TextDecoder()

/** The text of a body. Copying ASCII takes a tenth of the time of decoding it. */
export function decodeBody(body: Uint8Array): string {
  if (!isAscii(body)) return decoder.decode(body)
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}

function hasWideBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const end = Math.min(bytes.length, at + BLOCK + LONGEST_BLANK - 1)
    if (!isAscii(bytes.subarray(at, end)) && WIDE_BLANK.test(bytes.toString('latin1', at, end))) return true
  }
  return false
}
