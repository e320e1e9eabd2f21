/**
 * A JSON array that is streamed element by element: Gemini's `streamGenerateContent` without `alt=sse`.
 * A single object, such as an error, is a frame as well. The reader of the frame checks that it is JSON.
 */
import type { Frame } from '../../core/reply.ts'
import { Held } from './bytes.ts'
import type { Splitter } from './frames.ts'

const QUOTE = 34
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125
const NONE: readonly Frame[] = []
const decoder = new TextDecoder('utf-8')

export class ElementSplitter implements Splitter {
  whole = 0
  readonly #held = new Held()
  #before = 0
  #searched = 0
  /** Open braces and inner brackets; elements are at depth 0. */
  #depth = 0
  #inText = false
  #escaped = false
  #frames: Frame[] = []

  push(chunk: Uint8Array): readonly Frame[] {
    const bytes = this.#held.with(chunk)
    let from = 0
    for (let at = this.#searched; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (this.#inText) this.#character(byte)
      else if (byte === QUOTE) this.#inText = this.#depth > 0
      else if (byte === OPEN || (byte === OPEN_LIST && this.#depth > 0)) {
        if (this.#depth++ === 0) from = at
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        from = this.#close(bytes, from, at)
      } else if (this.#depth === 0) {
        from = at + 1
      }
    }
    if (this.#depth === 0) from = bytes.length
    this.#before += from
    this.#searched = bytes.length - from
    this.#held.keep(bytes, from)
    const frames = this.#frames
    this.#frames = []
    return frames
  }

  end(): readonly Frame[] {
    return NONE
  }

  #character(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) this.#inText = false
  }

  #close(bytes: Uint8Array, from: number, at: number): number {
    if (this.#depth > 0 && --this.#depth > 0) return from
    // At depth 0 a bracket ends the whole list.
    if (bytes[at] === CLOSE) this.#frames.push({ data: decoder.decode(bytes.subarray(from, at + 1)) })
    this.whole = this.#before + at + 1
    return at + 1
  }
}
