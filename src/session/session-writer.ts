/** The operations of a session that append records: messages, marks, changes of the view. */
import { type Patch, SutureError } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import {
  APPEND_OPTIONS,
  type Appended,
  type AppendOptions,
  appendedOf,
  contextOf,
  messageRecords,
  type WriterInfo,
} from './append-records.ts'
import { checkMessages } from './check-messages.ts'
import type { Log } from './log.ts'
import type { Committed, LogWriter, NewRecord, Write } from './log-writer.ts'
import { turnOf } from './page.ts'
import { insertedBy, patchOfLine } from './patch-records.ts'
import { encode, type MarkBody, type PatchBody, type UndoBody } from './record.ts'
import * as table from './session-options.ts'
import { latestChange } from './state.ts'
import { isUndo, otherContent, type Same, sameAppend, sameRecord } from './stored-operations.ts'
import type { View } from './view.ts'
import { changedSince, fitting, openLength, revertMark } from './view-changes.ts'

type ChangeOptions = table.ChangeOptions

export class SessionWriter {
  private readonly log: Log
  private readonly logWriter: LogWriter
  private readonly options: table.SessionOptions
  private readonly info: WriterInfo
  /** Views that `replace` may change, by position. */
  private readonly views: ReadonlyMap<number, View>
  private idPrefix: string | undefined
  private serial = 0

  constructor(logWriter: LogWriter, options: table.SessionOptions, info: WriterInfo, views: ReadonlyMap<number, View>) {
    this.log = logWriter.log
    this.logWriter = logWriter
    this.options = options
    this.info = info
    this.views = views
  }

  append(messages: readonly unknown[], options: AppendOptions): Promise<Appended> {
    return this.logWriter.inOrder(async () => {
      checkMessages(messages)
      checkOptions('append', options, APPEND_OPTIONS)
      if (messages.length === 0 && options.accept === undefined && options.replaces === undefined)
        return { positions: [], head: this.log.head, again: false }
      const make = async () =>
        messageRecords(this.log, messages, options, this.info, await contextOf(this.log, options))
      const answer = await this.write(options, make, sameAppend(messages, options))
      return appendedOf(this.log, answer)
    })
  }

  async reject(operationId: string, why: string): Promise<void> {
    checkValue('The operationId of reject', operationId, 'id')
    checkValue('The reason of reject', why, 'string')
    return this.note({ mark: 'rejected', op: operationId, why })
  }

  async mark(mark: (typeof table.MARKS)[number], detail?: unknown): Promise<void> {
    checkValue('The mark', mark, table.MARKS)
    return this.note({ mark, detail })
  }

  async abort(given: table.AbortOptions): Promise<void> {
    checkOptions('abort', given, table.ABORT_OPTIONS)
    const { operationId, ...options } = given
    if (this.log.openRound.open().length === 0 && this.log.state.begun === undefined) return
    await this.note({ mark: 'aborted', ...options, cause: options.cause ?? 'aborted-while-running' }, operationId)
  }

  replace(patch: Patch, options: table.ReplaceOptions): Promise<Appended> {
    return this.logWriter.inOrder(async () => {
      checkValue('A patch', patch, 'list')
      checkValue('The options of replace', options, 'object', 'Pass { by, why, upTo, prefixHash } of the view.')
      checkOptions('replace', options, table.REPLACE_OPTIONS)
      const { by, why, upTo, prefixHash, operationId, detail } = options
      if (patch.length === 0) return { positions: [], head: this.log.head, again: false }
      const make = async () => {
        const view = this.views.get(upTo)
        if (!view || view.prefixHash !== prefixHash || this.log.state.changed > upTo) throw changedSince(upTo)
        const stored = fitting(() => patchOfLine(view, patch), upTo)
        checkMessages(insertedBy({ patch: stored }), 'replace')
        const body: PatchBody = { by, why, upTo, patch: stored, detail, ...this.stamp() }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      const same = sameRecord('patch', { by, why, upTo, detail })
      return appendedOf(this.log, await this.write({ operationId, expectedHead: 'any' }, make, same))
    })
  }

  revert(turn: number, options: ChangeOptions): Promise<void> {
    return this.logWriter.inOrder(async () => {
      checkOptions('revert', options, table.CHANGE_OPTIONS)
      checkValue('The argument of revert', turn, table.isTurn)
      const make = async () => {
        const rows = await this.log.messages.raw(this.log.state.line)
        const readable = await this.log.rows()
        const { start } = turnOf(readable, turn, this.log.dialect)
        const keep = rows.indexOf(readable[start]!)
        return { records: [markRecord({ ...revertMark(this.log, rows, turn, keep), ...this.stamp() })], exact: true }
      }
      await this.write(options, make, sameRecord('mark', { mark: 'reverted', turn }))
    })
  }

  undo(options: table.UndoOptions): Promise<void> {
    return this.logWriter.inOrder(async () => {
      checkOptions('undo', options, table.UNDO_OPTIONS)
      const { by = 'undo', why = 'asked for' } = options
      const make = async () => {
        const undoes = latestChange(this.log.state)
        if (undoes === undefined) {
          throw new SutureError(
            'nothing-to-undo',
            'There is nothing to undo: no replace(), and no revert() without messages after it.',
          )
        }
        const { reverted, line } = this.log.state
        const back = reverted?.seq === undoes ? reverted.line : line
        const rows = back === line ? await this.log.messages.last(line, 500) : await this.log.readLast(back, 500)
        const body: UndoBody = { by, why, undoes, tail: openLength(this.log, rows), ...this.stamp() }
        return { records: [{ kind: 'patch' as const, body: encode(body) }], exact: true }
      }
      await this.write(options, make, (stored) => isUndo(stored) && sameRecord('patch', { by, why })(stored))
    })
  }

  private note(body: MarkBody, operationId?: string): Promise<void> {
    return this.logWriter.inOrder(async () => {
      const record = markRecord({ ...body, ...this.stamp() })
      const make = () => ({ records: [record], exact: false })
      await this.write({ operationId, expectedHead: 'any' }, make, sameRecord('mark', { ...body }))
    })
  }

  /** `same`: whether a stored operation with this id has the same content. */
  private async write(
    { operationId, expectedHead }: { readonly [K in keyof ChangeOptions]: ChangeOptions[K] | undefined },
    make: Write['make'],
    same: Same,
  ): Promise<Committed> {
    const op = operationId ?? this.newId()
    const isNew = operationId === undefined && this.options.ids === undefined
    const done = await this.logWriter.commit({ op, isNew, expectedHead: expectedHead ?? this.log.head, make })
    const { again, first, last } = done.answer
    if (!again) return done
    if (operationId !== undefined) {
      if (!same(await this.log.read(first, last))) throw otherContent(this.log.id, op)
      return done
    }
    throw new SutureError(
      'bad-option',
      `ids() returned "${op}", which was used before. Nothing was written. Return an id that was never used.`,
      { op },
    )
  }

  /** One random prefix per object and a number: ids of one writer are neighbors in an index. */
  newId(): string {
    if (this.options.ids) {
      const id = this.options.ids()
      checkValue('What ids() gives', id, 'id')
      return id
    }
    this.idPrefix ??= globalThis.crypto.randomUUID()
    return `${this.idPrefix}.${(this.serial++).toString(36).padStart(6, '0')}`
  }

  stamp(): { at?: string } {
    return this.options.clock ? { at: this.options.clock() } : {}
  }
}

function markRecord(body: MarkBody): NewRecord {
  return { kind: 'mark', body: encode(body) }
}
