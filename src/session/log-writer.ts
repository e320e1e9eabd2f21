/**
 * Writes the log of one session, one operation after the other, and reads what is new in its store.
 * Memory changes only after the store has answered: a failed write changes nothing.
 */
import { type Dialect, isSutureError } from '../core/index.ts'
import { Log } from './log.ts'
import { checkRecordVersion, decode, UNREADABLE } from './record.ts'
import type { State } from './state.ts'
import { type Answer, type Batch, type Draft, digestOf, type Head, type Kind, type Store } from './store.ts'
import { named } from './stored-dialect.ts'
import { unread } from './stored-operations.ts'

/** A record to be written; it has no position yet. */
export interface NewRecord {
  readonly kind: Kind
  readonly body: string
  /** The body with the whole message, if the record has only a difference. */
  readonly whole?: string
}

export interface RecordsToWrite {
  readonly records: readonly NewRecord[]
  /** The records are only valid for the state they were made for. */
  readonly exact: boolean
}

export interface Write {
  readonly op: string
  /** The operation id was generated for this write. */
  readonly isNew?: boolean
  readonly expectedHead: number | 'any' | 'results'
  /** Makes the records for the current state. Called again if another writer was first. */
  make(): RecordsToWrite | Promise<RecordsToWrite>
}

export interface Committed {
  readonly answer: Answer
  /** The written records; none if the operation was stored before. */
  readonly records: readonly NewRecord[]
}

const CHUNK = 1000
/** A writer that always loses the race gives up. */
const ATTEMPTS = 64

export class LogWriter {
  readonly log: Log
  /** The lease that this writer holds. */
  epoch: number | undefined
  private readonly every: number
  private queue: Promise<unknown> = Promise.resolve()

  constructor(store: Store, id: string, dialect: Dialect, every: number) {
    this.log = new Log(store, id, dialect)
    this.every = every
  }

  /** Operations of one session object do not overlap; one that fails does not stop the next. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work)
    this.queue = run.catch(() => {})
    return run
  }

  /** Reads what is new in the store. */
  async refresh(): Promise<Head> {
    const head = await this.log.store.head(this.log.id)
    if (head.head < this.log.head) this.log.restart()
    if (this.log.head === 0 && head.snapshot > 0) await this.resume(head)
    await this.readOn(head.head)
    return head
  }

  async commit(write: Write): Promise<Committed> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(write)
      } catch (error) {
        const lost = isSutureError(error, 'conflict') && attempt < ATTEMPTS
        if (!lost || !(await this.mayGoOn(write))) throw error
      }
    }
  }

  private async attempt(write: Write): Promise<Committed> {
    const made = await this.made(write)
    if ('answer' in made) return made
    const { exact } = made
    const records = this.log.head === 0 ? named(made.records, this.log.dialect) : made.records
    const due = this.log.head + records.length - this.log.snapshot >= this.every
    const all = due ? await this.withSnapshot(write.op, records) : records
    const { expectedHead } = write
    const place =
      expectedHead === 'results' || (expectedHead === 'any' && (exact || due)) ? this.log.head : expectedHead
    const batch = this.batchOf(write, all, place)
    return { answer: await this.send(batch, all), records: all }
  }

  /** An operation that can no longer be made may be stored already. */
  private async made(write: Write): Promise<RecordsToWrite | Committed> {
    try {
      return await write.make()
    } catch (error) {
      const known = await this.log.store.find(this.log.id, write.op)
      if (!known) throw error
      if (known.last > this.log.head) await this.readOn(known.last)
      return { answer: known, records: [] }
    }
  }

  /** Whether another writer was first, and this write may follow what it wrote. */
  private async mayGoOn({ expectedHead }: Write): Promise<boolean> {
    const before = this.log.head
    if (typeof expectedHead === 'number') return false
    await this.refresh()
    if (expectedHead === 'any' || this.log.head === before) return this.log.head !== before
    const since = (await this.log.messages.raw(this.log.state.line)).filter(({ seq }) => seq > before)
    return since.every(({ message }) => message === UNREADABLE || this.log.openRound.isResults(message))
  }

  private async send(batch: Batch, records: readonly NewRecord[]): Promise<Answer> {
    const answer = await this.log.store.append(this.log.id, batch)
    try {
      await this.follow(batch, records, answer)
    } catch (error) {
      throw unread(this.log.store, batch.op, error)
    }
    return answer
  }

  /** Updates memory after the store has answered: from what was sent, or by reading if others were first. */
  private async follow({ op }: Batch, records: readonly NewRecord[], answer: Answer): Promise<void> {
    if (answer.again || answer.first !== this.log.head + 1) {
      if (answer.last > this.log.head) await this.readOn(answer.last)
      return
    }
    for (let i = 0; i < records.length; i++) {
      const { kind, body: stored, whole: body = stored } = records[i]!
      const later = this.log.take({ seq: answer.first + i, kind, op, part: i, body, hash: '' })
      if (later) await later
    }
    this.log.hash = answer.hash
  }

  private batchOf({ op, isNew }: Write, records: readonly NewRecord[], expectedHead: number | 'any'): Batch {
    const drafts = records.map(
      ({ kind, body }): Draft => ({ kind, body, digest: digestOf(op, kind, body, this.log.sha256) }),
    )
    return {
      op,
      drafts,
      expectedHead,
      ...(this.epoch === undefined ? {} : { epoch: this.epoch }),
      ...(isNew ? { isNew } : {}),
    }
  }

  /** A snapshot holds the state after the records before it, so these are read on a copy first. */
  private async withSnapshot(op: string, records: readonly NewRecord[]): Promise<readonly NewRecord[]> {
    const ahead = this.log.copy()
    for (let i = 0; i < records.length; i++) {
      const { kind, body: stored, whole: body = stored } = records[i]!
      await ahead.take({ kind, body, seq: this.log.head + 1 + i, op, part: i, hash: '' })
    }
    const body = JSON.stringify({ state: ahead.state, tail: ahead.openRound.messages.length })
    return [...records, { kind: 'snapshot', body }]
  }

  /** Starts at the latest snapshot. If that cannot be read, the log is read from its start. */
  private async resume({ snapshot }: Head): Promise<void> {
    const [entry] = await this.log.store.read(this.log.id, snapshot, snapshot)
    const body = entry?.kind === 'snapshot' ? decode(entry.body) : undefined
    checkRecordVersion(this.log.id, snapshot, body)
    const state = body?.['state'] as State | undefined
    if (!entry || !state?.line || !Array.isArray(state.line.spans)) {
      this.log.messages.damaged.add(snapshot)
      return
    }
    const { log } = this
    log.state = state
    log.head = log.snapshot = snapshot
    log.hash = entry.hash
    log.messages.forget()
    await log.reopen(Number(body!['tail']))
    for (const { op, seqs } of state.proposals) {
      for (const seq of seqs) for (const one of await log.read(seq, seq)) log.wait(op, one)
    }
  }

  async readOn(to: number): Promise<void> {
    while (this.log.head < to) {
      const from = this.log.head + 1
      const entries = await this.log.read(from, Math.min(to, from + CHUNK - 1))
      for (const entry of entries) {
        // A gap is damage that `verify` reports; records after it still count.
        for (let lost = this.log.head + 1; lost < entry.seq; lost++) this.log.messages.damaged.add(lost)
        const later = this.log.take(entry)
        if (later) await later
        this.log.hash = entry.hash
      }
      if (entries.length === 0) this.log.head = Math.min(to, from + CHUNK - 1)
    }
  }
}
