/**
 * One JSON value a line, as Ollama's own endpoint streams.
 * A last line without a line end counts only if it is JSON: it may have been cut off.
 */
import type { Frame } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { Held } from './bytes.ts'
import type { Splitter } from './frames.ts'

const LF = 10
const NONE: readonly Frame[] = []
const decoder = new TextDecoder('utf-8')

export class LineSplitter implements Splitter {
  whole = 0
  readonly #held = new Held()
  #searched = 0

  push(chunk: Uint8Array): readonly Frame[] {
    const bytes = this.#held.with(chunk)
    const frames: Frame[] = []
    let at = 0
    for (let end = bytes.indexOf(LF, this.#searched); end >= 0; end = bytes.indexOf(LF, at)) {
      const data = decoder.decode(bytes.subarray(at, end)).trim()
      if (data !== '') frames.push({ data })
      at = end + 1
    }
    this.whole += at
    this.#searched = bytes.length - at
    this.#held.keep(bytes, at)
    return frames
  }

  end(): readonly Frame[] {
    const rest = this.#held.with(new Uint8Array(0))
    const data = decoder.decode(rest).trim()
    if (tryParseJson(data) === undefined) return NONE
    this.whole += rest.length
    this.#held.keep(rest, rest.length)
    return [{ data }]
  }
}
