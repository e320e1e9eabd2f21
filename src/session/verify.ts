/** Checks the log: every record against its hash, the chain against the head, and positions without gaps. */
import type { Log } from './log.ts'
import { decode } from './record.ts'
import { digestOf, type Entry } from './store.ts'

/** A record that cannot be read or does not fit the one before it. */
export interface Damage {
  readonly seq: number
  /** `changed`: not what was written · `unreadable`: not JSON either · `head`: differs from the last record. */
  readonly what: 'missing' | 'changed' | 'unreadable' | 'head'
}

/** What the check of a session's log found. */
export interface Verified {
  readonly valid: boolean
  readonly records: number
  readonly damage: readonly Damage[]
}

const CHUNK = 1000

export async function verify(log: Log): Promise<Verified> {
  const head = await log.store.head(log.id)
  const damage: Damage[] = []
  const chain = new Chain(log.sha256)
  let records = 0
  for (let from = 1; from <= head.head; from += CHUNK) {
    const to = Math.min(head.head, from + CHUNK - 1)
    const entries = new Map((await log.store.read(log.id, from, to)).map((entry) => [entry.seq, entry]))
    for (let seq = from; seq <= to; seq++) {
      const entry = entries.get(seq)
      if (entry) records++
      else chain.gap()
      if (!entry) damage.push({ seq, what: 'missing' })
      else if (!chain.takes(entry)) damage.push({ seq, what: decode(entry.body) ? 'changed' : 'unreadable' })
    }
  }
  if (!chain.endsAt(head.hash)) damage.push({ seq: head.head, what: 'head' })
  return { valid: damage.length === 0, records, damage }
}

/** What a record must match: the hash before it, and its index in its operation, which the hash does not cover. */
class Chain {
  private readonly sha256: (text: string) => string
  /** Hashes that the next record may be chained to; empty: any, after a gap that is reported itself. */
  private before: readonly string[] = ['']
  private last: Entry | undefined
  private isSure = true

  constructor(sha256: (text: string) => string) {
    this.sha256 = sha256
  }

  gap(): void {
    this.before = []
    this.last = undefined
    this.isSure = false
  }

  takes(entry: Entry): boolean {
    const digest = digestOf(entry.op, entry.kind, entry.body, this.sha256)
    const made = this.before.map((hash) => this.sha256(hash + digest))
    const fits = this.before.length === 0 || made.includes(entry.hash)
    const part = this.partOf(entry)
    // Both the stored and the computed hash are accepted: each damaged place is reported once.
    this.before = fits ? [entry.hash] : [entry.hash, ...made]
    this.last = { ...entry, part }
    this.isSure = fits && part === entry.part
    return this.isSure
  }

  endsAt(hash: string): boolean {
    return this.before.length === 0 || this.before.includes(hash)
  }

  /** Counted within an operation. After damage, the stored index is accepted if it is possible. */
  private partOf({ op, part }: Entry): number {
    const { last, isSure } = this
    if (!last) return isSure ? 0 : part
    if (!isSure && (part === 0 || part === last.part + 1)) return part
    return op === last.op ? last.part + 1 : 0
  }
}
