/**
 * What is remembered of a recorded conversation between two requests: its beginning by the hash of its bytes, and what was answered.
 * So a client that sends everything again costs one pass over the bytes that are known, and a look at the messages that are new.
 */
import { createHash } from 'node:crypto'
import type { Dialect, JsonObject } from '../core/index.ts'
import { endOf } from '../guard/leap.ts'
import { membersOf, startOf } from '../guard/scan.ts'
import { type Essence, essenceOf, type Logged, type Match, matched } from './match.ts'

export interface Trace {
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
  readonly said: readonly Logged[]
}

/** The bytes of a request's history, as it came. */
export class Sent {
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
  begins({ bytes, hash, count }: Trace): boolean {
    return this.ends[count - 1] === bytes && this.upTo(bytes) === hash
  }

  /** The longest of these that it begins with and goes on from. */
  continued<T>(
    traces: readonly Trace[],
    known: (trace: Trace) => T | undefined,
  ): { trace: Trace; found: T } | undefined {
    let best: { trace: Trace; found: T } | undefined
    // Shortest first, so that the bytes are hashed once.
    for (const trace of traces.toSorted((a, b) => a.bytes - b.bytes)) {
      const found = this.begins(trace) ? known(trace) : undefined
      if (found !== undefined) best = { trace, found }
    }
    return best
  }

  /** All of it, with what was answered. */
  trace(id: string, head: number, said: readonly unknown[], dialect: Dialect): Trace {
    const bytes = this.ends.at(-1) ?? 0
    const logged = said.map((message) => ({ ...short(message, dialect), optional: false }))
    return { id, head, bytes, hash: this.upTo(bytes), count: this.ends.length, said: logged }
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
export function sentIn(bytes: Uint8Array, says: JsonObject, key: string): Sent | undefined {
  try {
    const list = membersOf(bytes, startOf(bytes), says, endOf, key)?.inside
    return list && new Sent(bytes, list.ends)
  } catch {
    return undefined
  }
}

/** How the list goes on behind what is remembered, with the answer; undefined when it goes on otherwise. `common` counts from the list's start. */
export function knownIn({ count, said }: Trace, list: readonly unknown[], dialect: Dialect): Match | undefined {
  const found = matched(said, list.slice(count), (message) => short(message, dialect))
  return found.whole ? { ...found, common: count + found.common } : undefined
}

const LONG = 120

/** What a message says, in few letters. */
export function short(message: unknown, dialect: Dialect): Essence {
  const { essence, calls } = essenceOf(message, dialect)
  if (essence.length <= LONG) return { essence, calls }
  return { essence: createHash('sha256').update(essence).digest('base64'), calls }
}
