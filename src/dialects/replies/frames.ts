/**
 * Splits the bytes of a stream into frames. A chunk may end anywhere, also inside a character.
 * Bytes are not changed or held back: `whole` is the offset after the last frame.
 */
import { checkOptions, checkValue, type OptionTable } from '../../core/options.ts'
import type { Frame, Framing } from '../../core/reply.ts'
import { ElementSplitter } from './array.ts'
import { EventstreamSplitter } from './eventstream.ts'
import { LineSplitter } from './ndjson.ts'
import { SseSplitter } from './sse.ts'

export type { Frame, Framing } from '../../core/reply.ts'

/** Cuts chunks into frames. */
export interface Splitter {
  /** Frames completed by this chunk. */
  push(chunk: Uint8Array): readonly Frame[]
  /** Number of bytes up to the last frame boundary. */
  readonly whole: number
  /** Frames that the end of the stream completes. A frame that was cut off is dropped. */
  end(): readonly Frame[]
}

/** Options of a splitter. */
export interface SplitterOptions {
  /** Bytes that may wait for the rest of their frame. Default: 64 MiB. */
  readonly maxFrameBytes?: number | undefined
}

/** The event name of the broken frame that replaces one that is too long. */
export const TOO_LONG = 'too-long'
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const NONE: readonly Frame[] = []
const FRAMINGS: readonly Framing[] = ['sse', 'eventstream', 'ndjson', 'array']
const OPTIONS: OptionTable<SplitterOptions> = { maxFrameBytes: 'positive' }

/** A new splitter for one stream. */
export function splitter(kind: Framing, options: SplitterOptions = {}): Splitter {
  checkValue('The framing', kind, FRAMINGS)
  checkOptions('splitter', options, OPTIONS)
  return new Bounded(unbounded(kind), options.maxFrameBytes ?? MAX_FRAME_BYTES)
}

/** Bounds the memory of a stream: after a frame that is too long, nothing is read. */
class Bounded implements Splitter {
  #inner: Splitter | undefined
  readonly #maxFrameBytes: number
  #taken = 0
  whole = 0

  constructor(inner: Splitter, maxFrameBytes: number) {
    this.#inner = inner
    this.#maxFrameBytes = maxFrameBytes
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (!this.#inner) return NONE
    const frames = this.#inner.push(chunk)
    this.#taken += chunk.length
    this.whole = this.#inner.whole
    if (this.#taken - this.whole <= this.#maxFrameBytes) return frames
    this.#inner = undefined
    return [...frames, { event: TOO_LONG, data: '', kind: 'broken' }]
  }

  end(): readonly Frame[] {
    const frames = this.#inner?.end() ?? NONE
    this.whole = this.#inner?.whole ?? this.whole
    return frames
  }
}

function unbounded(kind: Framing): Splitter {
  switch (kind) {
    case 'sse':
      return new SseSplitter()
    case 'eventstream':
      return new EventstreamSplitter()
    case 'ndjson':
      return new LineSplitter()
    case 'array':
      return new ElementSplitter()
  }
}

/** The framing of a content type. `array` has no content type: it is `application/json` on a path that streams. */
export function framingOf(contentType: string | null): Exclude<Framing, 'array'> | undefined {
  if (contentType === 'application/json' || contentType == null) return undefined
  checkValue('The content type', contentType, 'string', 'Pass the header as it came.')
  const [type = ''] = contentType.toLowerCase().split(';', 1)
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

/** Undefined if the response is not a stream. Gemini streams a JSON array unless the request asks for events. */
export function framingFor(path: string, type: string | null): Framing | undefined {
  return framingOf(type) ?? (/:streamGenerateContent$/i.test(path) && isJson(type) ? 'array' : undefined)
}

export function isJson(type: string | null): boolean {
  return type?.includes('json') ?? false
}
