/**
 * Remembers recorded conversations between two requests: the hash of their beginning, and the reply. A client that
 * sends its whole history again then costs one pass over the known bytes, and a look at the new messages.
 */
import { createHash } from 'node:crypto'
import { type Dialect, type JsonObject, Transcript } from '../../core/index.ts'
import { membersOf } from '../../json-bytes/index.ts'
import { type MessageContent, pairCalls, shortContent } from './message-content.ts'

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
  readonly reply: readonly MessageContent[]
}

interface Continuation {
  readonly prefix: KnownPrefix
  /** Number of messages of the history up to the end of the reply. */
  readonly count: number
  /** Call ids that the client writes differently; undefined: the log has none. */
  readonly ids: ReadonlyMap<string, string | undefined>
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
  private begins({ bytes, hash, count }: KnownPrefix): boolean {
    return this.ends[count - 1] === bytes && this.upTo(bytes) === hash
  }

  /** The longest known prefix that the history begins with, and how it continues after that prefix and its reply. */
  continued(prefixes: readonly KnownPrefix[], list: readonly unknown[], dialect: Dialect): Continuation | undefined {
    let best: Continuation | undefined
    // Shortest first, so that the bytes are hashed once.
    for (const prefix of prefixes.toSorted((a, b) => a.bytes - b.bytes)) {
      if (!this.begins(prefix)) continue
      const found = afterReply(prefix.reply, new Transcript(list.slice(prefix.count), dialect))
      if (found) best = { prefix, ids: found.ids, count: prefix.count + found.count }
    }
    return best
  }

  /** The prefix for the next request: this history and its reply. */
  prefix(id: string, head: number, messages: readonly unknown[], dialect: Dialect): KnownPrefix {
    const bytes = this.ends.at(-1) ?? 0
    const reply = new Transcript(messages, dialect)
    const logged = messages.map((_, i) => shortContent(reply, i))
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

/** How many of these messages are the reply. Undefined: they do not begin with it. */
function afterReply(
  reply: readonly MessageContent[],
  sent: Transcript,
): Pick<Continuation, 'count' | 'ids'> | undefined {
  const ids = new Map<string, string | undefined>()
  let count = 0
  for (const { content, calls } of reply) {
    // Either side may have messages without content, such as reasoning.
    if (content === '') continue
    const contentHere = () => (count < sent.history.length ? shortContent(sent, count) : undefined)
    while (contentHere()?.content === '') count++
    const here = contentHere()
    if (here?.content !== content) return undefined
    pairCalls(here.calls, calls, ids)
    count++
  }
  return { count, ids }
}

/** Undefined if the bytes are ambiguous: a repeated key, or no list. `parsed`: the same bytes, parsed. */
export function sentHistory(bytes: Uint8Array, parsed: JsonObject, key: string): SentHistory | undefined {
  const list = membersOf(bytes, parsed, key)?.elements
  return list && new SentHistory(bytes, list.ends)
}
