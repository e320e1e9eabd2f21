/**
 * Server-sent events, split on bytes (doc: html.spec.whatwg.org, server-sent events).
 * Lines end with LF, CR LF or CR, also mixed. An event cut off by the end of the stream is dropped, as the standard
 * requires.
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
const EMPTY = new Uint8Array(0)

// `ignoreBOM` keeps byte order marks: only one at the start of the stream is removed, in `#start`.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class SseSplitter implements Splitter {
  whole = 0
  readonly #held = new Held()
  /** Offset of the current bytes in the stream. */
  #before = 0
  /** Number of the current bytes that have no line end. */
  #searched = 0
  #started = false
  #swallowLf = false
  #event: string | undefined
  #data: string | undefined
  #bare: string | undefined

  push(chunk: Uint8Array): readonly Frame[] {
    if (chunk.length === 0) return NONE
    const bytes = this.#held.with(chunk)
    const start = this.#start(bytes)
    if (start < 0) {
      this.#held.keep(bytes, 0)
      return NONE
    }
    const end = lastLineEnd(bytes, Math.max(start, this.#searched))
    const frames = end > start ? this.#lines(bytes, start, end) : NONE
    const read = Math.max(start, end)
    this.#before += read
    this.#searched = bytes.length - read
    this.#held.keep(bytes, read)
    return frames
  }

  end(): readonly Frame[] {
    const rest = this.#held.with(EMPTY)
    if (rest.length > 0 && (this.#bare !== undefined || isOpening(rest[0]!))) this.#bareLine(decoder.decode(rest))
    const frames: Frame[] = []
    this.#dispatchBare(frames)
    return frames
  }

  /** The index after a byte order mark or the LF of a CR LF split across two chunks; -1 if half a mark has come. */
  #start(bytes: Uint8Array): number {
    if (this.#swallowLf) {
      this.#swallowLf = false
      if (bytes[0] !== LF) return 0
      if (this.whole === this.#before) this.whole++
      return 1
    }
    if (this.#started) return 0
    if (bytes[0] === 0xef && (bytes.length < 2 || bytes[1] === 0xbb)) {
      if (bytes.length < 3) return -1
      this.#started = true
      return bytes[2] === 0xbf ? 3 : 0
    }
    this.#started = true
    return 0
  }

  /** Reads the lines between two offsets. They are decoded together: no character contains a line end. */
  #lines(bytes: Uint8Array, start: number, end: number): readonly Frame[] {
    const text = decoder.decode(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
    const frames: Frame[] = []
    let at = 0
    let boundary = -1
    let lf = next(text, '\n', 0)
    let cr = next(text, '\r', 0)
    while (at < text.length) {
      const to = Math.min(lf, cr)
      if (at === to) this.#dispatch(frames)
      else this.#line(text, at, to)
      at = to + 1
      if (to === cr) {
        if (at === lf) at++
        cr = next(text, '\r', at)
      }
      if (lf < at) lf = next(text, '\n', at)
      if (this.#event === undefined && this.#data === undefined) boundary = at
    }
    this.#swallowLf = bytes[end - 1] === CR
    if (boundary >= 0) this.whole = this.#before + end - bytesBehind(bytes, end, text, boundary, end - start)
    return frames
  }

  #line(text: string, from: number, to: number): void {
    const first = text.charCodeAt(from)
    if (first === 100 && text.startsWith('data', from) && isName(text, from + 4, to)) {
      const value = fieldValue(text, from + 4, to)
      this.#data = this.#data === undefined ? value : this.#data + '\n' + value
    } else if (first === 101 && text.startsWith('event', from) && isName(text, from + 5, to)) {
      // An empty value removes the name.
      this.#event = fieldValue(text, from + 5, to) || undefined
    } else if (first !== COLON && (this.#bare !== undefined || isOpening(first))) {
      this.#bareLine(text.slice(from, to))
    }
  }

  #dispatch(frames: Frame[]): void {
    if (this.#bare !== undefined) this.#dispatchBare(frames)
    if (this.#data !== undefined) {
      frames.push(this.#event === undefined ? { data: this.#data } : { event: this.#event, data: this.#data })
    }
    this.#event = undefined
    this.#data = undefined
  }

  // Some relays write a JSON error without `data:` into a stream. The standard drops such lines.
  #bareLine(line: string): void {
    this.#bare = this.#bare === undefined ? line : this.#bare + '\n' + line
  }

  #dispatchBare(frames: Frame[]): void {
    if (this.#bare !== undefined) frames.push({ data: this.#bare, kind: 'bare' })
    this.#bare = undefined
  }
}

/** The index after the last line end; 0 if there is no line end at `from` or later. */
function lastLineEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.length - 1; at >= from; at--) if (bytes[at] === LF || bytes[at] === CR) return at + 1
  return 0
}

/** Number of bytes after a position in the text. */
function bytesBehind(bytes: Uint8Array, end: number, text: string, place: number, length: number): number {
  // A text as long as its bytes has one byte per character.
  if (place === text.length || text.length === length) return text.length - place
  let ends = 0
  for (let at = place; at < text.length; at++) if (isLineEnd(text.charCodeAt(at))) ends++
  let at = end
  while (ends >= 0) if (isLineEnd(bytes[--at]!)) ends--
  return end - at - 1
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR
}

function next(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

function isOpening(code: number): boolean {
  return code === BRACE || code === BRACKET
}

/** Whether a field's name ends here: at a colon or at the end of the line. */
function isName(text: string, at: number, to: number): boolean {
  return at === to || text.charCodeAt(at) === COLON
}

function fieldValue(text: string, colon: number, to: number): string {
  if (colon >= to) return ''
  return text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, to)
}
