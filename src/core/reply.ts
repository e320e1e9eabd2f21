/**
 * What a provider answered, put together from its JSON or from its stream.
 * Types only. Assemblers are apart from the `Dialect` objects, so a bundle that only repairs histories has none.
 */

/** One answer. An incomplete one keeps its text, and none of its calls may be run. */
export interface Reply {
  /** The answer as messages of the history, in the dialect's own shape, as far as it came; empty if nothing is kept. */
  readonly messages: readonly unknown[]
  /** The terminal marker came: only then is it an answer, and only then may its calls be run. */
  readonly complete: boolean
  /** Why it is not complete: the stream ended early, the provider reported a failure, or the bytes cannot be read. */
  readonly why?: 'cut' | 'error' | 'malformed'
  /** The error the stream carried, as it came. */
  readonly error?: unknown
  /** Whole calls (id, name, arguments that parse); empty unless complete. */
  readonly calls: readonly ReplyCall[]
  /** Calls that cannot be run, and why. They are not in `messages`. */
  readonly broken: readonly BrokenCall[]
  /** The dialect's own word for why the model stopped. */
  readonly stop?: string
  readonly usage?: ReplyUsage
  readonly id?: string
  readonly model?: string
}

/** A call that may be run. */
export interface ReplyCall {
  /** Empty where the provider gives none and pairs by place (Gemini). */
  readonly id: string
  readonly name: string
  readonly arguments: unknown
  /** The arguments as the model wrote them. */
  readonly text: string
}

/** A call that may not be run: no id, no name, arguments that are not a JSON object, or an answer that did not end. */
export interface BrokenCall {
  readonly id?: string
  readonly name?: string
  readonly text: string
  readonly why: 'no-id' | 'no-name' | 'arguments' | 'unfinished'
}

/** Tokens, as far as the provider counted them. */
export interface ReplyUsage {
  /** The whole prompt, with what came from a cache and what was written to one. */
  readonly input?: number
  /** All that was generated, reasoning too. */
  readonly output?: number
  readonly cached?: number
  readonly written?: number
}

/** How a stream is cut into frames. `array` is Gemini without `alt=sse`: one JSON array over the whole answer. */
export type Framing = 'sse' | 'eventstream' | 'ndjson' | 'array'

/** One frame of a stream. */
export interface Frame {
  readonly event?: string
  readonly data: string
  /** Absent in a plain frame. `exception`: Bedrock's. `bare`: unframed JSON of a relay. `broken`: unreadable. */
  readonly kind?: 'exception' | 'bare' | 'broken'
}

/** Puts a stream's frames together. Never throws, whatever comes. */
export interface Assembler {
  push(frame: Frame): void
  /** Something of the answer was in a frame so far (text, reasoning, a call): from then on nothing may be replayed. */
  readonly output: boolean
  /** The terminal marker came. */
  readonly done: boolean
  /** The error event the stream carried, if one came. */
  readonly error: unknown
  end(): Reply
}

/** What a failure says to the client of a stream. */
export interface ReplyFailure {
  readonly message: string
  readonly type?: string
}

/** How one dialect answers. */
export interface ReplyForm {
  readonly dialect: string
  /** From a whole JSON body. */
  json(body: unknown): Reply
  /** Whether a JSON body is a whole answer at first sight. A caller that only asks this need not assemble the reply. */
  isPlain?(body: unknown): boolean
  /** The tokens that such a body reports. */
  usage?(body: unknown): ReplyUsage | undefined
  /** From a stream. */
  stream(): Assembler
  /**
   * The terminal error event a client of this dialect waits for, never a clean end.
   * Default: the usual framing of the dialect; it must begin where a frame may begin (`Splitter.whole`).
   */
  failure(error: ReplyFailure, framing?: Framing): Uint8Array
}
