/**
 * A conversation that lasts: an append-only log on a store, and the views on it. Nothing stored is rewritten.
 * Given a provider and a store; knows no database and no provider by name.
 */
import { type Cause, isSutureError, type Patch, SutureError } from '../core/index.ts'
import { beginningOf, forkRecords, openLength, revertMark } from './changes.ts'
import { oneByOne, shared } from './lock.ts'
import { type Committed, Log, type Record_, type Write } from './log.ts'
import { Reader, type SessionOptions } from './reader.ts'
import { encode, type MarkBody, type PatchBody, type UndoBody } from './record.ts'
import { latestChange } from './state.ts'
import type { Store } from './store.ts'
import { type Appended, type AppendOptions, appendedOf, messageRecords } from './writing.ts'

export interface ReplaceOptions {
  /** Who replaced it, and why: `compaction`, `too long`. */
  readonly by: string
  readonly why: string
  /** Both from the view that the patch was made for. */
  readonly upTo: number
  readonly prefixHash: string
  readonly operationId?: string
  /** Kept in the record: a receipt, say. */
  readonly detail?: unknown
}

export interface AbortOptions {
  /** What is said of the open calls; `aborted-while-running` when absent. */
  readonly cause?: Cause
  /** Calls of which something else is to be said, by `callKey`. */
  readonly calls?: Readonly<Record<string, Cause>>
  /** Calls that wait for a person, by `callKey`: they stay open, in `session.waiting`. */
  readonly waits?: readonly string[]
  readonly detail?: unknown
  readonly operationId?: string
}

/** Where a change must stand, and the id under which it is asked for again. */
export type Place = Pick<AppendOptions, 'operationId' | 'expectedHead'>

/** Opens a session, new or not. Reads from the latest snapshot on; `found` says what a crash has left. */
export async function openSession(store: Store, id: string, options: SessionOptions): Promise<Session> {
  const log = new Log(store, id, options.service.dialect, options.snapshotEvery ?? 256)
  const { owner } = await log.refresh()
  return new Session(log, options, owner)
}

export class Session extends Reader {
  private writer: string | undefined
  private serial = 0

  /** Adds messages, wholly or not at all. What open calls never got is written before whatever goes on. */
  append(messages: readonly unknown[], options: AppendOptions = {}): Promise<Appended> {
    return this.log.inOrder(async () => {
      if (messages.length === 0 && options.accept === undefined) return { positions: [], head: this.head, again: false }
      const answer = await this.write(options, () => messageRecords(this.log, messages, options, this.pen))
      return appendedOf(this.log, answer)
    })
  }

  /** The proposed messages of this operation stay out of the conversation. */
  reject(operationId: string, why: string): Promise<void> {
    return this.note({ mark: 'rejected', op: operationId, why })
  }

  /** Notes that a turn begins, ends or fails, or anything else. */
  mark(mark: 'begun' | 'ended' | 'failed' | 'note', detail?: unknown): Promise<void> {
    return this.note(detail === undefined ? { mark } : { mark, detail })
  }

  /** Notes an abort and what is to be said of the open calls. Nothing open and nothing begun: nothing is written. */
  async abort({ operationId, ...options }: AbortOptions = {}): Promise<void> {
    if (this.open.length === 0 && this.log.state.begun === undefined) return
    await this.note({ mark: 'aborted', ...options, cause: options.cause ?? 'aborted-while-running' }, operationId)
  }

  /** Commits a change of the view: what it replaces stays in the log, what was appended meanwhile stays behind it. */
  replace(patch: Patch, { by, why, upTo, prefixHash, operationId, detail }: ReplaceOptions): Promise<Appended> {
    return this.log.inOrder(async () => {
      if (patch.length === 0) return { positions: [], head: this.head, again: false }
      const make = async () => {
        const view = this.views.get(upTo)
        if (!view || view.prefixHash !== prefixHash || this.log.state.changed > upTo) throw changedSince(upTo)
        const body: PatchBody = {
          by,
          why,
          upTo,
          ...fitting(() => beginningOf(this.log.state.line, view, patch), upTo),
          ...(detail === undefined ? {} : { detail }),
          ...this.stamp(),
        }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      return appendedOf(
        this.log,
        await this.write({ ...(operationId ? { operationId } : {}), expectedHead: 'any' }, make),
      )
    })
  }

  /** Takes back this turn and all after it. They stay in the log, and `undo` brings them back while nothing was said since. */
  revert(turn: number, options: Place = {}): Promise<void> {
    return this.log.inOrder(async () => {
      const make = async () => {
        const rows = await this.log.lines.raw(this.log.state.line)
        const readable = await this.rows()
        const group = this.turn(readable, turn)
        const keep = rows.indexOf(readable[group.start]!)
        return { records: [markRecord({ ...revertMark(this.log, rows, turn, keep), ...this.stamp() })], exact: true }
      }
      await this.write(options, make)
    })
  }

  /** Takes the latest change back, a replacement or a revert, by writing its inverse. */
  undo(options: Place & { readonly by?: string; readonly why?: string } = {}): Promise<void> {
    return this.log.inOrder(async () => {
      const make = async () => {
        const undoes = latestChange(this.log.state)
        if (undoes === undefined) {
          throw new SutureError('nothing-to-undo', 'No replacement stands, and no revert after which nothing was said.')
        }
        const { reverted, line } = this.log.state
        const back = reverted?.seq === undoes ? reverted.line : line
        const rows = back === line ? await this.log.lines.last(line, 500) : await this.log.readLast(back, 500)
        const body: UndoBody = {
          by: options.by ?? 'undo',
          why: options.why ?? 'asked for',
          undoes,
          tail: openLength(this.log, rows),
          ...this.stamp(),
        }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      await this.write(options, make)
    })
  }

  /** A session of its own that begins with everything up to the end of this turn. */
  async fork(turn: number, id: string, options: { readonly operationId?: string } = {}): Promise<Session> {
    await this.log.inOrder(async () => {
      const rows = await this.log.lines.raw(this.log.state.line)
      const readable = await this.rows()
      const group = this.turn(readable, turn)
      const next = readable[group.end]
      const records = await forkRecords(this.log, next ? rows.indexOf(next) : rows.length, this.stamp())
      const log = new Log(this.log.store, id, this.log.dialect, records.length + 1)
      const op = options.operationId ?? this.newId()
      await log.commit({ op, expectedHead: 0, make: () => ({ records, exact: true }) })
    })
    return openSession(this.log.store, id, this.options)
  }

  /** Takes the session for this owner alone: from then on nobody else can write, however late they wake up. */
  claim(owner: string, options: { readonly takeOver?: boolean } = {}): Promise<number> {
    return this.log.inOrder(async () => {
      const { epoch } = await this.log.store.claim(this.id, owner, { takeOver: options.takeOver ?? false })
      this.log.epoch = epoch
      await this.log.refresh()
      return epoch
    })
  }

  release(): Promise<void> {
    return this.log.inOrder(async () => {
      if (this.log.epoch !== undefined) await this.log.store.release(this.id, this.log.epoch)
      this.log.epoch = undefined
    })
  }

  /** Reads what others have written since. */
  refresh(): Promise<number> {
    return this.log.inOrder(async () => {
      await this.log.refresh()
      return this.head
    })
  }

  /** Deletes the session from its store, all of it and for good. */
  forget(): Promise<void> {
    return this.log.inOrder(async () => {
      await this.log.store.purge(this.id)
      this.views.clear()
      this.log.restart()
    })
  }

  /** Runs one turn after the other: within this process the turns of a session never overlap. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return oneByOne(this.log.store, this.id, work)
  }

  /** Work of this name runs once at a time for the session; who asks meanwhile gets the same outcome. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    return shared(this.log.store, `${this.id}\u0000${name}`, work)
  }

  private note(body: MarkBody, operationId?: string): Promise<void> {
    return this.log.inOrder(async () => {
      const record = markRecord({ ...body, ...this.stamp() })
      const make = () => ({ records: [record], exact: false })
      await this.write({ expectedHead: 'any', ...(operationId === undefined ? {} : { operationId }) }, make)
    })
  }

  private async write({ operationId, expectedHead }: Place, make: Write['make']): Promise<Committed> {
    const op = operationId ?? this.newId()
    const isNew = operationId === undefined && this.options.ids === undefined
    const done = await this.log.commit({ op, isNew, expectedHead: expectedHead ?? this.head, make })
    if (operationId !== undefined || !done.answer.again) return done
    throw new SutureError(
      'bad-option',
      `ids() gave "${op}", which was used before: nothing was written. Give ids that never repeat.`,
      { op },
    )
  }

  /** One random part for the object and a number behind it: ids of one writer stand side by side in an index. */
  private newId(): string {
    if (this.options.ids) return this.options.ids()
    this.writer ??= globalThis.crypto.randomUUID()
    return `${this.writer}.${(this.serial++).toString(36).padStart(6, '0')}`
  }

  private stamp(): { at?: string } {
    return this.options.clock ? { at: this.options.clock() } : {}
  }
}

function markRecord(body: MarkBody): Record_ {
  return { kind: 'mark', body: encode(body) }
}

function changedSince(upTo: number): SutureError {
  return new SutureError(
    'conflict',
    `The view at position ${upTo} is not known here or has changed since. Read the view again and make the change for that one.`,
    { upTo },
  )
}

/** A patch that does not fit was made for something else. */
function fitting<T>(make: () => T, upTo: number): T {
  try {
    return make()
  } catch (error) {
    throw isSutureError(error, 'stale-patch') ? changedSince(upTo) : error
  }
}
