/**
 * One session's log: folded as it is read, written through its store, one operation after the other.
 * Memory changes only after the store has answered: a failed write leaves everything as it was.
 */
import { type Dialect, isSutureError, SutureError } from '../core/index.ts'
import { Fold } from './fold.ts'
import { HOLE } from './lines.ts'
import { decode } from './record.ts'
import { sha256 } from './sha256.ts'
import type { State } from './state.ts'
import { type Answer, type Batch, type Draft, digestOf, type Head, type Kind, type Store } from './store.ts'
import { named } from './stored-dialect.ts'

/** A record before it has a place. */
export interface Record_ {
  readonly kind: Kind
  readonly body: string
}

export interface Made {
  readonly records: readonly Record_[]
  /** It would be wrong on another state than the one it was made for. */
  readonly exact: boolean
}

export interface Write {
  readonly op: string
  /** Nobody has ever asked for it before. */
  readonly isNew?: boolean
  readonly expectedHead: number | 'any' | 'results'
  /** What to write, worked out for the state it will stand on; asked again when somebody else was first. */
  make(): Made | Promise<Made>
}

export interface Committed {
  readonly answer: Answer
  /** What was written; nothing when it had been before. */
  readonly records: readonly Record_[]
}

const CHUNK = 1000
/** A writer that always loses says so rather than trying for ever. */
const ATTEMPTS = 64

export class Log extends Fold {
  readonly sha256: (text: string) => string
  /** The lease that this writer holds. */
  epoch: number | undefined
  private readonly every: number
  private queue: Promise<unknown> = Promise.resolve()

  constructor(store: Store, id: string, dialect: Dialect, every: number) {
    super(store, id, dialect)
    this.every = every
    this.sha256 = (text) => (store.sha256 ? store.sha256(text) : sha256(text))
  }

  /** Operations of one session object do not overlap; one that fails does not stop the next. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work)
    this.queue = run.catch(() => {})
    return run
  }

  /** Reads what is new in the store. */
  async refresh(): Promise<Head> {
    const head = await this.store.head(this.id)
    if (head.head < this.head) this.restart()
    if (this.head === 0 && head.snapshot > 0) await this.resume(head)
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
    const records = this.head === 0 ? named(made.records, this.dialect) : made.records
    const due = this.head + records.length - this.snapshot >= this.every
    const all = due ? await this.withSnapshot(write.op, records) : records
    const { expectedHead } = write
    const place = expectedHead === 'results' || (expectedHead === 'any' && (exact || due)) ? this.head : expectedHead
    const batch = this.batchOf(write, all, place)
    return { answer: await this.send(batch), records: all }
  }

  /** An operation that no longer makes sense may be one that was done before. */
  private async made(write: Write): Promise<Made | Committed> {
    try {
      return await write.make()
    } catch (error) {
      const known = await this.store.find(this.id, write.op)
      if (!known) throw error
      if (known.last > this.head) await this.readOn(known.last)
      return { answer: known, records: [] }
    }
  }

  /** Whether others wrote, and nothing that this write would not stand behind. */
  private async mayGoOn({ expectedHead }: Write): Promise<boolean> {
    const before = this.head
    if (typeof expectedHead === 'number') return false
    await this.refresh()
    if (expectedHead === 'any' || this.head === before) return this.head !== before
    const since = (await this.lines.raw(this.state.line)).filter(({ seq }) => seq > before)
    return since.every(({ message }) => message === HOLE || this.tail.isResults(message))
  }

  private async send(batch: Batch): Promise<Answer> {
    const answer = await this.store.append(this.id, batch)
    try {
      await this.follow(batch, answer)
    } catch (error) {
      throw unread(this.store, batch.op, error)
    }
    return answer
  }

  /** Memory after the store has answered: by what was sent, or by reading where others were first. */
  private async follow({ op, drafts }: Batch, answer: Answer): Promise<void> {
    if (answer.again || answer.first !== this.head + 1) {
      if (answer.last > this.head) await this.readOn(answer.last)
      return
    }
    for (let i = 0; i < drafts.length; i++) {
      const { kind, body } = drafts[i]!
      const later = this.take({ seq: answer.first + i, kind, op, part: i, body, hash: '' })
      if (later) await later
    }
    this.hash = answer.hash
  }

  private batchOf({ op, isNew }: Write, records: readonly Record_[], expectedHead: number | 'any'): Batch {
    const drafts = records.map(
      ({ kind, body }): Draft => ({ kind, body, digest: digestOf(op, kind, body, this.sha256) }),
    )
    return {
      op,
      drafts,
      expectedHead,
      ...(this.epoch === undefined ? {} : { epoch: this.epoch }),
      ...(isNew ? { isNew } : {}),
    }
  }

  /** A snapshot says what stands after the records before it, so they are folded on a copy first. */
  private async withSnapshot(op: string, records: readonly Record_[]): Promise<readonly Record_[]> {
    const ahead = this.copy()
    for (let i = 0; i < records.length; i++) {
      await ahead.take({ ...records[i]!, seq: this.head + 1 + i, op, part: i, hash: '' })
    }
    const body = JSON.stringify({ state: ahead.state, tail: ahead.tail.messages.length })
    return [...records, { kind: 'snapshot', body }]
  }

  /** Begins at the latest snapshot; one that cannot be read is passed over, and the log folded from its start. */
  private async resume({ snapshot }: Head): Promise<void> {
    const [entry] = await this.store.read(this.id, snapshot, snapshot)
    const body = entry?.kind === 'snapshot' ? decode(entry.body) : undefined
    const state = body?.['state'] as State | undefined
    if (!entry || !state?.line || !Array.isArray(state.line.spans)) {
      this.lines.damaged.add(snapshot)
      return
    }
    this.state = state
    this.head = this.snapshot = snapshot
    this.hash = entry.hash
    this.lines.forget()
    await this.openTail(Number(body!['tail']))
    for (const { op, seqs } of state.proposals) {
      for (const seq of seqs) for (const one of await this.store.read(this.id, seq, seq)) this.wait(op, one)
    }
  }

  private async readOn(to: number): Promise<void> {
    while (this.head < to) {
      const from = this.head + 1
      const entries = await this.store.read(this.id, from, Math.min(to, from + CHUNK - 1))
      for (const entry of entries) {
        // A gap is damage that `verify` names; what stands behind it still counts.
        for (let lost = this.head + 1; lost < entry.seq; lost++) this.lines.damaged.add(lost)
        const later = this.take(entry)
        if (later) await later
        this.hash = entry.hash
      }
      if (entries.length === 0) this.head = Math.min(to, from + CHUNK - 1)
    }
  }
}

/** Stored, and then the log could not be read: to the caller as if nobody knew. */
function unread(store: Store, op: string, error: unknown): SutureError {
  const words = error instanceof Error ? error.message : String(error)
  return new SutureError(
    'unknown-outcome',
    `It is stored, but what it changes could not be read (${words}). Ask for it again with the same operationId.`,
    { store: store.name, operationId: op },
    { cause: isSutureError(error) ? (error.cause ?? error) : error },
  )
}
