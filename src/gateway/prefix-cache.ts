/**
 * What is remembered of a recorded conversation between two requests: its beginning by the hash of its bytes, and what was answered.
 * So a client that sends everything again costs one pass over the bytes that are known, and a look at the messages that are new.
 */
import { createHash } from 'node:crypto'
import { type Dialect, type JsonObject, Transcript } from '../core/index.ts'
import { membersOf } from '../json-bytes/index.ts'
import { contentAt, type LoggedContent, type Match, type MessageContent, matchContents } from './match-history.ts'

export interface KnownPrefix {
  /** The branch it went on in. */
  readonly id: string
  /** Where its log ended. */
  readonly head: number
  /** So many bytes of a body are known, and their hash. */
  readonly bytes: number
  readonly hash: string
  /** So many messages stand in them. */
  readonly count: number
  /** What was answered, in few letters. */
  readonly reply: readonly LoggedContent[]
}

/** The bytes of a request's history, as it came. */
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

  /** Whether it begins with what is remembered. */
  begins({ bytes, hash, count }: KnownPrefix): boolean {
    return this.ends[count - 1] === bytes && this.upTo(bytes) === hash
  }

  /** The longest of these that it begins with and goes on from. */
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

  /** All of it, with what was answered. */
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

/** Undefined where the bytes do not say it plainly: a key that stands twice, no list. `says`: the bytes, parsed. */
export function sentHistory(bytes: Uint8Array, says: JsonObject, key: string): SentHistory | undefined {
  const list = membersOf(bytes, says, key)?.elements
  return list && new SentHistory(bytes, list.ends)
}

/** How the list goes on after what is remembered, with the answer; undefined when it goes on otherwise. `common` counts from the list's start. */
export function continuationOf(
  { count, reply }: KnownPrefix,
  list: readonly unknown[],
  dialect: Dialect,
): Match | undefined {
  const found = matchContents(reply, new Transcript(list.slice(count), dialect), shortContent)
  return found.whole ? { ...found, common: count + found.common } : undefined
}

const LONG = 120

/** What a message says, in few letters. */
export function shortContent(transcript: Transcript, message: number): MessageContent {
  const { content: essence, calls } = contentAt(transcript, message)
  if (essence.length <= LONG) return { content: essence, calls }
  return { content: createHash('sha256').update(essence).digest('base64'), calls }
}
