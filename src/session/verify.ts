/**
 * Whether the log is what was written: every record against its hash, the chain against the head, the positions without a gap.
 */
import type { Log } from './log.ts'
import { decode } from './record.ts'
import { digestOf } from './store.ts'

export interface Damage {
  readonly seq: number
  /** `missing`: no record there · `changed`: not what was written · `unreadable`: nor is it JSON · `head`: the head says otherwise than the last record. */
  readonly what: 'missing' | 'changed' | 'unreadable' | 'head'
}

export interface Verified {
  readonly sound: boolean
  readonly records: number
  readonly damage: readonly Damage[]
}

const CHUNK = 1000

export async function verify(log: Log): Promise<Verified> {
  const head = await log.store.head(log.id)
  const damage: Damage[] = []
  let before: readonly string[] = ['']
  let records = 0
  for (let from = 1; from <= head.head; from += CHUNK) {
    const to = Math.min(head.head, from + CHUNK - 1)
    const entries = new Map((await log.store.read(log.id, from, to)).map((entry) => [entry.seq, entry]))
    for (let seq = from; seq <= to; seq++) {
      const entry = entries.get(seq)
      if (!entry) {
        damage.push({ seq, what: 'missing' })
        before = []
        continue
      }
      records++
      const made = before.map((hash) => log.sha256(hash + digestOf(entry.op, entry.kind, entry.body, log.sha256)))
      // Behind a gap there is no hash to go by: the gap is reported, this one is taken as it is.
      const same = before.length === 0 || made.includes(entry.hash)
      if (!same) damage.push({ seq, what: decode(entry.body) ? 'changed' : 'unreadable' })
      // Both what was stored and what should have been: each place of damage is named, and no other.
      before = same ? [entry.hash] : [entry.hash, ...made]
    }
  }
  if (before.length > 0 && !before.includes(head.hash)) damage.push({ seq: head.head, what: 'head' })
  return { sound: damage.length === 0, records, damage }
}
