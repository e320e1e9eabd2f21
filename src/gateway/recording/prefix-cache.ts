/**
 * Remembers recorded conversations between two requests: the hash of their beginning, and the reply. A client that sends its whole
 * history again then costs one pass over the known bytes, and a look at the new messages.
 */
import { createHash } from 'node:crypto'
import { type Dialect, type JsonObject, Transcript } from '../../core/index.ts'
import { membersOf } from '../../json-bytes/index.ts'
import { type LoggedContent, type Match, matchContents } from './match-history.ts'
import { shortContent } from './message-content.ts'

export interface KnownPrefix {
  /** The branch that it continued in. */
  readonly id: string
  /** The end of its log. */
  readonly head: number
  /** Number of known bytes of the body, and their hash. */
  readonly bytes: number
  readonly hash: string
  /** Number of messages in these bytes. */
  readonly count: number
  /** The reply, in a short form for comparison. */
  readonly reply: readonly LoggedContent[]
}

/** The bytes of the history in a request. */
export class SentHistory {
  private readonly bytes: Uint8Array
  /** Where each message ends. */
  private readonly ends: readonly number[]
  private hash = createHash('sha256')
  private hashed = 0

  constructor(bytes: Uint8Array, ends: readonly number[]) {
    this.bytes = bytes
    this.ends = ends
  }

  /** Whether it begins with a known prefix. */
  begins({ bytes, hash, count }: KnownPrefix): boolean {
    return this.ends[count - 1] === bytes && this.upTo(bytes) === hash
  }

  /** The longest known prefix that it begins with and continues from. */
  continued<T>(
    traces: readonly KnownPrefix[],
    known: (trace: KnownPrefix) => T | undefined,
  ): { trace: KnownPrefix; found: T } | undefined {
    let best: { trace: KnownPrefix; found: T } | undefined
    // Shortest first, so that the bytes are hashed once.
    for (const trace of traces.toSorted((a, b) => a.bytes - b.bytes)) {
      const found = this.begins(trace) ? known(trace) : undefined
      if (found !== undefined) best = { trace, found }
    }
    return best
  }

  /** The prefix for the next request: this history and its reply. */
  trace(id: string, head: number, messages: readonly unknown[], dialect: Dialect): KnownPrefix {
    const bytes = this.ends.at(-1) ?? 0
    const reply = new Transcript(messages, dialect)
    const logged = messages.map((_, i) => ({ ...shortContent(reply, i), optional: false }))
    return { id, head, bytes, hash: this.upTo(bytes), count: this.ends.length, reply: logged }
  }

  private upTo(end: number): string {
    if (end < this.hashed) {
      this.hash = createHash('sha256')
      this.hashed = 0
    }
    this.hash.update(this.bytes.subarray(this.hashed, end))
    this.hashed = end
    return this.hash.copy().digest('base64')
  }
}

/** Undefined if the bytes are ambiguous: a repeated key, or no list. `says`: the parsed bytes. */
export function sentHistory(bytes: Uint8Array, says: JsonObject, key: string): SentHistory | undefined {
  const list = membersOf(bytes, says, key)?.elements
  return list && new SentHistory(bytes, list.ends)
}

/** How the list continues after the known prefix and its reply; undefined if it continues differently. `common` counts from the start of the list. */
export function continuationOf(
  { count, reply }: KnownPrefix,
  list: readonly unknown[],
  dialect: Dialect,
): Match | undefined {
  const found = matchContents(reply, new Transcript(list.slice(count), dialect), shortContent)
  return found.whole ? { ...found, common: count + found.common } : undefined
}
