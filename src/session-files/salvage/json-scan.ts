/**
 * Finds where one JSON object ends in bytes that may be damaged. Keeps its own stack, so nesting costs no recursion.
 * Raw control characters inside strings are accepted and counted; `JSON.parse` decides about everything else.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

/** What may come next inside the innermost object or list. */
const KEY = 0
const KEY_OR_CLOSE = 1
const COLON_NEXT = 2
const VALUE = 3
const VALUE_OR_CLOSE = 4
const COMMA_OR_CLOSE = 5

export interface Scanned {
  /**
   * `whole`: the object ends before `at`. `open`: the bytes end inside it. `broken`: the byte at `at` cannot be there.
   */
  readonly state: 'whole' | 'open' | 'broken'
  readonly at: number
  /** Where the last string before `at` begins; a record that was cut inside a string continues after it. */
  readonly lastString: number
  /** Start of the last inner object that was complete before `at`, or -1. */
  readonly lastObject: number
  /** There are raw control characters inside strings, or line breaks between tokens. */
  readonly control: boolean
}

/** Scans the object that begins at `start`. Stops at `end`, or at a line break where `stopAtLine` is true. */
export function scanObject(
  bytes: Uint8Array,
  start: number,
  end: number,
  stopAtLine?: (lineStart: number) => boolean,
): Scanned {
  const stack: boolean[] = []
  const starts: number[] = []
  let expect = VALUE
  let lastString = start
  let lastObject = -1
  let control = false
  let at = start
  const result = (state: Scanned['state']): Scanned => ({ state, at, lastString, lastObject, control })
  while (at < end) {
    const byte = bytes[at]!
    if (byte === 0x0a) {
      control = true
      if (stopAtLine?.(at + 1)) return result('broken')
      at++
    } else if (byte === 0x20 || byte === 0x09 || byte === 0x0d) at++
    else if (byte === QUOTE) {
      if (expect === COLON_NEXT || expect === COMMA_OR_CLOSE) return result('broken')
      lastString = at
      const closed = endOfString(bytes, at + 1, end, stopAtLine)
      control ||= closed.control
      at = closed.at
      if (closed.state !== 'whole') return result(closed.state)
      const isKey = expect === KEY || expect === KEY_OR_CLOSE
      expect = isKey ? COLON_NEXT : COMMA_OR_CLOSE
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (expect !== VALUE && expect !== VALUE_OR_CLOSE) return result('broken')
      stack.push(byte === OPEN_OBJECT)
      starts.push(at)
      expect = byte === OPEN_OBJECT ? KEY_OR_CLOSE : VALUE_OR_CLOSE
      at++
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      const isObject = byte === CLOSE_OBJECT
      const empty = isObject ? KEY_OR_CLOSE : VALUE_OR_CLOSE
      if (stack.at(-1) !== isObject || (expect !== COMMA_OR_CLOSE && expect !== empty)) return result('broken')
      stack.pop()
      const opened = starts.pop()!
      if (isObject) lastObject = opened
      at++
      if (stack.length === 0) return result('whole')
      expect = COMMA_OR_CLOSE
    } else if (byte === COMMA && expect === COMMA_OR_CLOSE) {
      expect = stack.at(-1) ? KEY : VALUE
      at++
    } else if (byte === COLON && expect === COLON_NEXT) {
      expect = VALUE
      at++
    } else {
      const after = endOfLiteral(bytes, at, end)
      if (after === at || (expect !== VALUE && expect !== VALUE_OR_CLOSE)) return result('broken')
      const known = isLiteral(bytes, at, after)
      at = after
      if (!known) return result(at === end ? 'open' : 'broken')
      expect = COMMA_OR_CLOSE
    }
  }
  return result('open')
}

type StringEnd = Pick<Scanned, 'state' | 'at' | 'control'>

function endOfString(
  bytes: Uint8Array,
  from: number,
  end: number,
  stopAtLine?: (lineStart: number) => boolean,
): StringEnd {
  let control = false
  let at = from
  while (at < end) {
    const byte = bytes[at]!
    if (byte === QUOTE) return { state: 'whole', at: at + 1, control }
    if (byte === BACKSLASH && bytes[at + 1] !== 0x0a) at += 2
    else {
      if (byte < 0x20) {
        control = true
        if (byte === 0x0a && stopAtLine?.(at + 1)) return { state: 'broken', at, control }
      }
      at++
    }
  }
  return { state: 'open', at: Math.min(at, end), control }
}

function endOfLiteral(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && isLiteralByte(bytes[at]!)) at++
  return at
}

function isLiteralByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x45 ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  )
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function isLiteral(bytes: Uint8Array, from: number, to: number): boolean {
  // No record has a number of so many digits.
  if (to - from > 400) return false
  const text = String.fromCharCode(...bytes.subarray(from, to))
  return text === 'true' || text === 'false' || text === 'null' || NUMBER.test(text)
}

/**
 * The same object as one valid JSON line: control characters in strings escaped, line breaks between tokens removed.
 */
export function asOneLine(bytes: Uint8Array): Uint8Array {
  const out: number[] = []
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (inString && byte === BACKSLASH && at + 1 < bytes.length && bytes[at + 1]! >= 0x20) out.push(byte, bytes[++at]!)
    else if (byte === QUOTE) {
      inString = !inString
      out.push(byte)
    } else if (byte >= 0x20) out.push(byte)
    else if (inString) out.push(...escapeOf(byte))
    else if (byte === 0x09) out.push(byte)
  }
  return Uint8Array.from(out)
}

const SHORT: Readonly<Record<number, string>> = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' }

function escapeOf(byte: number): number[] {
  const text = `\\${SHORT[byte] ?? `u${byte.toString(16).padStart(4, '0')}`}`
  return Array.from(text, (char) => char.charCodeAt(0))
}
