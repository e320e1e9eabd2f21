/**
 * Finds where a JSON value ends if the parsed value is known: a string has at least as many bytes as characters, so
 * those bytes are skipped. If the bytes do not match the value (repeated keys, another order), falls back to a search
 * byte by byte.
 */
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  valueEnd,
} from './scan.ts'

/** Deeper values are searched byte by byte. */
const MAX_DEPTH = 60

export function endOfKnownValue(bytes: Uint8Array, at: number, value: unknown, depth = 0): number {
  const end = depth < MAX_DEPTH ? tryKnownEnd(bytes, at, value, depth) : -1
  return end < 0 ? valueEnd(bytes, at) : end
}

/** -1 if the bytes do not match the value. */
function tryKnownEnd(bytes: Uint8Array, at: number, value: unknown, depth: number): number {
  if (typeof value === 'string') return textEnd(bytes, at, value)
  if (typeof value !== 'object' || value === null) return -1
  if (Array.isArray(value)) return bytes[at] === OPEN_LIST ? listEnd(bytes, at, value, depth + 1) : -1
  return bytes[at] === OPEN_OBJECT ? objectEnd(bytes, at, value as Record<string, unknown>, depth + 1) : -1
}

function textEnd(bytes: Uint8Array, at: number, text: string): number {
  const { length } = text
  if (bytes[at] !== QUOTE || !mayMatch(bytes[at + 1]!, text, 0)) return -1
  let end = at + 1 + length
  let slashes = end
  while (slashes > at + 1 && bytes[slashes - 1] === BACKSLASH) slashes--
  if ((end - slashes) % 2 === 1) end++
  while (bytes[end] !== QUOTE) {
    if (end >= bytes.length) return -1
    end += bytes[end] === BACKSLASH ? 2 : 1
  }
  return mayMatch(bytes[end - 1]!, text, length - 1) ? end + 1 : -1
}

/** Whether this byte can be that character. Characters that may be escaped match any byte. */
function mayMatch(byte: number, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return byte === code || !(code > 0x20 && code < 0x7f && code !== QUOTE && code !== BACKSLASH && byte !== BACKSLASH)
}

/** Most bodies have no white space between tokens. */
function afterSpace(bytes: Uint8Array, at: number): number {
  return bytes[at]! > 0x20 ? at : skipSpace(bytes, at)
}

function listEnd(bytes: Uint8Array, at: number, list: readonly unknown[], depth: number): number {
  let next = afterSpace(bytes, at + 1)
  for (let i = 0; i < list.length; i++) {
    if (i > 0) {
      if (bytes[next] !== COMMA) return -1
      next = afterSpace(bytes, next + 1)
    }
    next = afterSpace(bytes, endOfKnownValue(bytes, next, list[i], depth))
  }
  return bytes[next] === CLOSE_LIST ? next + 1 : -1
}

function objectEnd(bytes: Uint8Array, at: number, object: Readonly<Record<string, unknown>>, depth: number): number {
  let next = afterSpace(bytes, at + 1)
  let first = true
  for (const key in object) {
    if (!first) {
      if (bytes[next] !== COMMA) return -1
      next = afterSpace(bytes, next + 1)
    }
    first = false
    if (!isKey(bytes, next, key)) return -1
    next = afterSpace(bytes, next + key.length + 2)
    next = afterSpace(bytes, endOfKnownValue(bytes, afterSpace(bytes, next + 1), object[key], depth))
  }
  return bytes[next] === CLOSE_OBJECT ? next + 1 : -1
}

/**
 * Parsed keys keep the order of the text, except keys that are integers. So it is enough to check length, first and
 * last character. A key with escapes has no quote at its expected end, or a backslash before it.
 */
function isKey(bytes: Uint8Array, at: number, key: string): boolean {
  const { length } = key
  if (length === 0 || bytes[at] !== QUOTE || bytes[at + 1 + length] !== QUOTE) return false
  const last = bytes[at + length]!
  const first = bytes[at + 1]!
  if (last === BACKSLASH || last !== key.charCodeAt(length - 1) || first !== key.charCodeAt(0)) return false
  return first > 0x39 || isVerbatim(bytes, at + 1, key)
}

function isVerbatim(bytes: Uint8Array, at: number, key: string): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[at + i] !== key.charCodeAt(i)) return false
  return true
}
