/**
 * Server-sent events, split on bytes (doc: html.spec.whatwg.org, server-sent events).
 * Lines end with LF, CR LF or CR, also mixed. An event that the stream's end cuts is none, as the standard has it.
 */
import type { Frame } from '../../core/reply.ts'
import { Held } from './bytes.ts'
import type { Splitter } from './frames.ts'

const LF = 10
const CR = 13
const SPACE = 32
const COLON = 58
const BRACKET = 91
const BRACE = 123
const NONE: readonly Frame[] = []

// `ignoreBOM`: only the stream's first mark is one, and that is cut off by hand.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function sseSplitter(): Splitter {
  return new Sse()
}

class Sse implements Splitter {
  whole = 0
  readonly #held = new Held()
  /** Bytes before those in hand. */
  #before = 0
  /** How far the bytes in hand were searched without a line end. */
  #searched = 0
  #started = false
  #swallowLf = false
  #event: string | undefined
  #data: string | undefined
  #bare: string | undefined
  #frames: Frame[] = []

  push(chunk: Uint8Array): readonly Frame[] {
    if (chunk.length === 0) return NONE
    const bytes = this.#held.with(chunk)
    const start = this.#start(bytes)
    if (start < 0) {
      this.#held.keep(bytes, 0)
      return NONE
    }
    const end = this.#lines(bytes, start)
    this.#before += end
    this.#searched = bytes.length - end
    this.#held.keep(bytes, end)
    return this.#taken()
  }

  end(): readonly Frame[] {
    const rest = this.#held.with(new Uint8Array(0))
    if (rest.length > 0 && (this.#bare !== undefined || isOpening(rest[0]))) this.#bareLine(decoder.decode(rest))
    this.#giveBare()
    return this.#taken()
  }

  #taken(): readonly Frame[] {
    if (this.#frames.length === 0) return NONE
    const frames = this.#frames
    this.#frames = []
    return frames
  }

  /** Behind a byte order mark; -1 as long as the bytes may still become one. */
  #start(bytes: Uint8Array): number {
    if (this.#started) return 0
    if (bytes[0] === 0xef && (bytes.length < 2 || bytes[1] === 0xbb)) {
      if (bytes.length < 3) return -1
      this.#started = true
      return bytes[2] === 0xbf ? 3 : 0
    }
    this.#started = true
    return 0
  }

  /** Reads all whole lines; returns where the first unfinished one begins. */
  #lines(bytes: Uint8Array, start: number): number {
    let at = start
    if (this.#swallowLf) {
      this.#swallowLf = false
      if (bytes[at] === LF) {
        at++
        if (this.whole === this.#before) this.whole++
      }
    }
    const from = Math.max(at, this.#searched)
    let lf = next(bytes, LF, from)
    let cr = next(bytes, CR, from)
    if (lf === cr) return at
    const last = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR))
    // One decoding for all lines of the chunk. As long as the bytes, the text has its characters at the same places.
    const text = last > at ? decoder.decode(bytes.subarray(at, last)) : ''
    const shift = text.length === last - at ? at : -1
    while (lf < bytes.length || cr < bytes.length) {
      const end = Math.min(lf, cr)
      this.#line(bytes, at, end, text, shift)
      at = end + 1
      if (end === cr) {
        if (at === bytes.length) this.#swallowLf = true
        else if (bytes[at] === LF) at++
        cr = next(bytes, CR, at)
      }
      if (lf < at) lf = next(bytes, LF, at)
      if (this.#event === undefined && this.#data === undefined) this.whole = this.#before + at
    }
    return at
  }

  #line(bytes: Uint8Array, from: number, to: number, text: string, shift: number): void {
    const first = bytes[from]
    if (from === to) {
      this.#dispatch()
    } else if (first === 100 && isData(bytes, from, to)) {
      const value = fieldValue(bytes, from + 4, to, text, shift)
      this.#data = this.#data === undefined ? value : this.#data + '\n' + value
    } else if (first === 101 && isEvent(bytes, from, to)) {
      // Empty, it takes back the name.
      this.#event = fieldValue(bytes, from + 5, to, text, shift) || undefined
    } else if (first !== COLON && (this.#bare !== undefined || isOpening(first))) {
      this.#bareLine(slice(bytes, from, to, text, shift))
    }
  }

  #dispatch(): void {
    this.#giveBare()
    if (this.#data !== undefined) {
      this.#frames.push(this.#event === undefined ? { data: this.#data } : { event: this.#event, data: this.#data })
    }
    this.#event = undefined
    this.#data = undefined
  }

  // A relay was seen to write a bare JSON error, without `data:`, into a stream. The standard drops such lines.
  #bareLine(line: string): void {
    this.#bare = this.#bare === undefined ? line : this.#bare + '\n' + line
  }

  #giveBare(): void {
    if (this.#bare !== undefined) this.#frames.push({ data: this.#bare, kind: 'bare' })
    this.#bare = undefined
  }
}

function next(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}

function isOpening(byte: number | undefined): boolean {
  return byte === BRACE || byte === BRACKET
}

/** The field `data`, with or without a value. */
function isData(bytes: Uint8Array, at: number, to: number): boolean {
  return (
    bytes[at + 1] === 97 && bytes[at + 2] === 116 && bytes[at + 3] === 97 && (at + 4 === to || bytes[at + 4] === COLON)
  )
}

function isEvent(bytes: Uint8Array, at: number, to: number): boolean {
  return (
    bytes[at + 1] === 118 &&
    bytes[at + 2] === 101 &&
    bytes[at + 3] === 110 &&
    bytes[at + 4] === 116 &&
    (at + 5 === to || bytes[at + 5] === COLON)
  )
}

function fieldValue(bytes: Uint8Array, colon: number, to: number, text: string, shift: number): string {
  if (colon >= to) return ''
  return slice(bytes, bytes[colon + 1] === SPACE && colon + 1 < to ? colon + 2 : colon + 1, to, text, shift)
}

function slice(bytes: Uint8Array, from: number, to: number, text: string, shift: number): string {
  return shift < 0 ? decoder.decode(bytes.subarray(from, to)) : text.slice(from - shift, to - shift)
}
