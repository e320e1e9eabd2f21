/**
 * A conversation that lasts: an append-only log on a store, and the views on it. Nothing stored is rewritten.
 * Given a provider and a store; knows no database and no provider by name.
 */
import { type Patch, SutureError } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import { beginningOf, changedSince, fitting, openLength, revertMark } from './changes.ts'
import { copyTo } from './fork.ts'
import { oneByOne, shared } from './lock.ts'
import { type Committed, Log, type Record_, type Write } from './log.ts'
import { checkMessages } from './messages.ts'
import { isUndo, otherContent, type Same, sameAppend, sameRecord } from './operations.ts'
import { Reader, type SessionOptions } from './reader.ts'
import { encode, type MarkBody, type PatchBody, type UndoBody } from './record.ts'
import * as table from './session-options.ts'
import { latestChange } from './state.ts'
import type { Store } from './store.ts'
import { checkDialect } from './stored-dialect.ts'
import { APPEND_OPTIONS, type Appended, type AppendOptions, appendedOf, messageRecords } from './writing.ts'

type Place = table.Place

/** Opens a session, new or not. Reads from the latest snapshot on; `found` says what a crash has left. */
export async function openSession(store: Store, id: string, options: SessionOptions): Promise<Session> {
  const log = new Log(store, id, options.service.dialect, options.snapshotEvery ?? 256)
  const { owner } = await log.refresh()
  if (log.head > 0) await checkDialect(log, options.provider, options.dialects ?? [])
  return new Session(log, options, owner)
}

export class Session extends Reader {
  private writer: string | undefined
  private serial = 0

  /** Adds messages, wholly or not at all. What open calls never got is written before whatever goes on. */
  append(messages: readonly unknown[], options: AppendOptions = {}): Promise<Appended> {
    return this.log.inOrder(async () => {
      checkMessages(messages)
      checkOptions('append', options, APPEND_OPTIONS)
      if (messages.length === 0 && options.accept === undefined) return { positions: [], head: this.head, again: false }
      const make = () => messageRecords(this.log, messages, options, this.pen)
      const answer = await this.write(options, make, sameAppend(messages, options))
      return appendedOf(this.log, answer)
    })
  }

  /** The proposed messages of this operation stay out of the conversation. */
  async reject(operationId: string, why: string): Promise<void> {
    checkValue('The operationId of reject', operationId, 'name')
    checkValue('The reason of reject', why, 'string')
    return this.note({ mark: 'rejected', op: operationId, why })
  }

  /** Notes that a turn begins, ends or fails, or anything else. */
  async mark(mark: (typeof table.MARKS)[number], detail?: unknown): Promise<void> {
    checkValue('The mark', mark, table.MARKS)
    return this.note(detail === undefined ? { mark } : { mark, detail })
  }

  /** Notes an abort and what is to be said of the open calls. Nothing open and nothing begun: nothing is written. */
  async abort(given: table.AbortOptions = {}): Promise<void> {
    checkOptions('abort', given, table.ABORT_OPTIONS)
    const { operationId, ...options } = given
    if (this.open.length === 0 && this.log.state.begun === undefined) return
    await this.note({ mark: 'aborted', ...options, cause: options.cause ?? 'aborted-while-running' }, operationId)
  }

  /** Commits a change of the view: what it replaces stays in the log, what was appended meanwhile stays behind it. */
  replace(patch: Patch, options: table.ReplaceOptions): Promise<Appended> {
    return this.log.inOrder(async () => {
      checkValue('A patch', patch, 'list')
      checkValue('The options of replace', options, 'object', 'Pass { by, why, upTo, prefixHash } of the view.')
      checkOptions('replace', options, table.REPLACE_OPTIONS)
      const { by, why, upTo, prefixHash, operationId, detail } = options
      if (patch.length === 0) return { positions: [], head: this.head, again: false }
      const make = async () => {
        const view = this.views.get(upTo)
        if (!view || view.prefixHash !== prefixHash || this.log.state.changed > upTo) throw changedSince(upTo)
        const beginning = fitting(() => beginningOf(this.log.state.line, view, patch), upTo)
        checkMessages(beginning.insert, 'replace')
        const body: PatchBody = {
          by,
          why,
          upTo,
          ...beginning,
          ...(detail === undefined ? {} : { detail }),
          ...this.stamp(),
        }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      const place = { ...(operationId ? { operationId } : {}), expectedHead: 'any' } as const
      const same = sameRecord('patch', { by, why, upTo, ...(detail === undefined ? {} : { detail }) })
      return appendedOf(this.log, await this.write(place, make, same))
    })
  }

  /** Takes back this turn and all after it. They stay in the log, and `undo` brings them back while nothing was said since. */
  revert(turn: number, options: Place = {}): Promise<void> {
    return this.log.inOrder(async () => {
      checkOptions('revert', options, table.PLACE_OPTIONS)
      checkValue('The argument of revert', turn, table.isTurn)
      const make = async () => {
        const rows = await this.log.lines.raw(this.log.state.line)
        const readable = await this.rows()
        const group = this.turn(readable, turn)
        const keep = rows.indexOf(readable[group.start]!)
        return { records: [markRecord({ ...revertMark(this.log, rows, turn, keep), ...this.stamp() })], exact: true }
      }
      await this.write(options, make, sameRecord('mark', { mark: 'reverted', turn }))
    })
  }

  /** Takes the latest change back, a replacement or a revert, by writing its inverse. */
  undo(options: table.UndoOptions = {}): Promise<void> {
    return this.log.inOrder(async () => {
      checkOptions('undo', options, table.UNDO_OPTIONS)
      const { by = 'undo', why = 'asked for' } = options
      const make = async () => {
        const undoes = latestChange(this.log.state)
        if (undoes === undefined) {
          throw new SutureError('nothing-to-undo', 'No replacement stands, and no revert after which nothing was said.')
        }
        const { reverted, line } = this.log.state
        const back = reverted?.seq === undoes ? reverted.line : line
        const rows = back === line ? await this.log.lines.last(line, 500) : await this.log.readLast(back, 500)
        const body: UndoBody = {
          by,
          why,
          undoes,
          tail: openLength(this.log, rows),
          ...this.stamp(),
        }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      await this.write(options, make, (stored) => isUndo(stored) && sameRecord('patch', { by, why })(stored))
    })
  }

  /** A session of its own that begins with everything up to the end of this turn. */
  async fork(turn: number, id: string, options: { readonly operationId?: string } = {}): Promise<Session> {
    checkValue('The id of a fork', id, 'name')
    checkOptions('fork', options, table.FORK_OPTIONS)
    await this.log.inOrder(async () => {
      const readable = await this.rows()
      const next = readable[this.turn(readable, turn).end]
      await copyTo(this.log, next, id, { op: options.operationId ?? this.newId(), ...this.stamp() })
    })
    return openSession(this.log.store, id, this.options)
  }

  /** Takes the session for this owner alone: from then on nobody else can write, however late they wake up. */
  claim(owner: string, options: { readonly takeOver?: boolean } = {}): Promise<number> {
    return this.log.inOrder(async () => {
      checkValue('The owner', owner, 'name')
      checkOptions('claim', options, table.CLAIM_OPTIONS)
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
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    checkValue('The work of inTurn', work, 'function')
    return oneByOne(this.log.store, this.id, work)
  }

  /** Work of this name runs once at a time for the session; who asks meanwhile gets the same outcome. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    checkValue('The name of work', name, 'name')
    checkValue('The work of once', work, 'function')
    return shared(this.log.store, `${this.id}\u0000${name}`, work)
  }

  private note(body: MarkBody, operationId?: string): Promise<void> {
    return this.log.inOrder(async () => {
      const record = markRecord({ ...body, ...this.stamp() })
      const make = () => ({ records: [record], exact: false })
      const place = { expectedHead: 'any', ...(operationId === undefined ? {} : { operationId }) } as const
      await this.write(place, make, sameRecord('mark', { ...body }))
    })
  }

  /** `same`: whether an operation of this id that is stored already is this one. */
  private async write({ operationId, expectedHead }: Place, make: Write['make'], same: Same): Promise<Committed> {
    const op = operationId ?? this.newId()
    const isNew = operationId === undefined && this.options.ids === undefined
    const done = await this.log.commit({ op, isNew, expectedHead: expectedHead ?? this.head, make })
    const { again, first, last } = done.answer
    if (!again) return done
    if (operationId !== undefined) {
      if (!same(await this.log.store.read(this.id, first, last))) throw otherContent(this.id, op)
      return done
    }
    throw new SutureError(
      'bad-option',
      `ids() gave "${op}", which was used before: nothing was written. Give ids that never repeat.`,
      { op },
    )
  }

  /** One random part for the object and a number behind it: ids of one writer stand side by side in an index. */
  private newId(): string {
    if (this.options.ids) {
      const id = this.options.ids()
      checkValue('What ids() gives', id, 'name')
      return id
    }
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
