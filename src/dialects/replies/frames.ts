/**
 * A stream's bytes, cut into frames. Chunks may break anywhere, also inside a character.
 * Never changes or keeps back a byte: who passes the stream on asks `whole` where a frame ends.
 */
import type { Frame, Framing } from '../../core/reply.ts'
import { arraySplitter } from './array.ts'
import { eventstreamSplitter } from './eventstream.ts'
import { ndjsonSplitter } from './ndjson.ts'
import { sseSplitter } from './sse.ts'

export type { Frame, Framing } from '../../core/reply.ts'

/** Cuts chunks into frames. */
export interface Splitter {
  /** Frames completed by this chunk. */
  push(chunk: Uint8Array): readonly Frame[]
  /** Bytes of all chunks so far that end at a frame boundary. */
  readonly whole: number
  /** What the end of the stream completes. A frame that was cut is not among it. */
  end(): readonly Frame[]
}

/** A new splitter for one stream. */
export function splitter(kind: Framing): Splitter {
  switch (kind) {
    case 'sse':
      return sseSplitter()
    case 'eventstream':
      return eventstreamSplitter()
    case 'ndjson':
      return ndjsonSplitter()
    case 'array':
      return arraySplitter()
  }
}

/** The framing a content type names. `array` has none of its own: it is `application/json` on a path that streams. */
export function framingOf(contentType: string | null): Exclude<Framing, 'array'> | undefined {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';', 1)
  switch (type.trim()) {
    case 'text/event-stream':
      return 'sse'
    case 'application/vnd.amazon.eventstream':
      return 'eventstream'
    case 'application/x-ndjson':
    case 'application/ndjson':
    case 'application/jsonl':
    case 'application/x-jsonlines':
    case 'application/stream+json':
      return 'ndjson'
    default:
      return undefined
  }
}
