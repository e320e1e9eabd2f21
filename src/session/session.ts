/**
 * A stored conversation: an append-only log in a store, and the history that follows from it. Stored records are never rewritten.
 * Gets its provider and store as arguments; knows no database and no provider by name.
 */
import type { Group, Part, Patch } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import type { Appended, AppendOptions } from './append-records.ts'
import { copyTo } from './fork.ts'
import { oneByOne, shared } from './in-process-lock.ts'
import { Log } from './log.ts'
import type { OpenCall } from './open-round.ts'
import type { Page, PageOptions } from './page.ts'
import type { RawMessage } from './raw-message.ts'
import * as table from './session-options.ts'
import { type LoggedMessage, type Opened, type Replay, type SessionOptions, SessionReader } from './session-reader.ts'
import { SessionWriter } from './session-writer.ts'
import type { Entry, Store } from './store.ts'
import { checkDialect } from './stored-dialect.ts'
import type { Verified } from './verify.ts'
import type { View, Wiring } from './view.ts'

/** Opens a session or creates it. Reads from the latest snapshot on; `found` lists what a crash left open. */
export async function openSession<Message = unknown>(
  store: Store,
  id: string,
  options: SessionOptions,
): Promise<Session<Message>> {
  const log = new Log(store, id, options.service.dialect, options.snapshotEvery ?? 256)
  const { owner } = await log.refresh()
  if (log.head > 0) await checkDialect(log, options.provider)
  return new Session<Message>(log, options, owner)
}

/** `Message`: the message type of the provider's SDK. It is not checked at run time. */
export class Session<Message = unknown> {
  readonly id: string
  /** The state of the session when it was opened: open calls, proposals, damage. */
  readonly found: Opened
  private readonly log: Log
  private readonly reader: SessionReader
  private readonly writer: SessionWriter
  private readonly options: SessionOptions

  constructor(log: Log, options: SessionOptions, owner: string | null) {
    this.reader = new SessionReader(log, options, owner)
    this.writer = new SessionWriter(this.reader)
    this.found = this.reader.found
    this.id = log.id
    this.log = log
    this.options = options
  }

  /** The provider, its constraints and the rules of the session. */
  get wiring(): Wiring {
    return this.options
  }

  /** The last position that this object has read. */
  get head(): number {
    return this.log.head
  }

  /** Calls that may still be answered, with the cause that is stated until then. */
  get open(): readonly OpenCall[] {
    return this.reader.open
  }

  /** Open calls that wait for approval. */
  get waiting(): readonly Part[] {
    return this.reader.waiting
  }

  /** The history to send: the provider accepts it. `proposedBy`: an operation id; the messages that it proposed are included. */
  async history(options: { readonly proposedBy?: string } = {}): Promise<Message[]> {
    const { history } = await this.reader.view(options)
    return [...history] as Message[]
  }

  /** The history to send, with `upTo` and `prefixHash` for `replace`. */
  view(options: { readonly proposedBy?: string } = {}): Promise<View<Message>> {
    return this.reader.view(options) as Promise<View<Message>>
  }

  /** All messages as they were appended, without patches and repairs. */
  raw(): Promise<Message[]> {
    return this.reader.raw() as Promise<Message[]>
  }

  /** All messages with author, position and time. */
  entries(): Promise<readonly LoggedMessage<Message>[]> {
    return this.reader.entries() as Promise<readonly LoggedMessage<Message>[]>
  }

  turns(): Promise<readonly Group[]> {
    return this.reader.turns()
  }

  /** Whole turns, from either end. */
  page(options: PageOptions = {}): Promise<Page<Message>> {
    return this.reader.page(options) as Promise<Page<Message>>
  }

  /** The last `count` turns as a history of their own, ready to send. */
  exportLast(count: number): Promise<Message[]> {
    return this.reader.exportLast(count) as Promise<Message[]>
  }

  /** What to send to repeat a turn. Changes nothing: call `revert` when the new answer is there. */
  replayFrom(turn: number): Promise<Replay<Message>> {
    return this.reader.replayFrom(turn) as Promise<Replay<Message>>
  }

  /** The records of the log. */
  records(): AsyncGenerator<Entry> {
    return this.reader.records()
  }

  /** Checks every record in the store against its hash. */
  verify(): Promise<Verified> {
    return this.reader.verify()
  }

  /** Appends all messages or none. Calls that can no longer be answered get synthetic results first. */
  append(messages: readonly (Message | RawMessage)[], options: AppendOptions = {}): Promise<Appended> {
    return this.writer.append(messages, options)
  }

  /** Keeps the proposed messages of this operation out of the conversation. */
  reject(operationId: string, why: string): Promise<void> {
    return this.writer.reject(operationId, why)
  }

  /** Records that a turn begins, ends or fails, or a note. */
  mark(mark: (typeof table.MARKS)[number], detail?: unknown): Promise<void> {
    return this.writer.mark(mark, detail)
  }

  /** Records an abort and the causes for the open calls. Writes nothing if no call is open and no turn was begun. */
  abort(options: table.AbortOptions = {}): Promise<void> {
    return this.writer.abort(options)
  }

  /** Changes the view by a patch. The replaced messages stay in the log; messages appended meanwhile follow the change. */
  replace(patch: Patch, options: table.ReplaceOptions): Promise<Appended> {
    return this.writer.replace(patch, options)
  }

  /** Removes this turn and all after it from the view. They stay in the log; `undo` restores them until something is appended. */
  revert(turn: number, options: table.ChangeOptions = {}): Promise<void> {
    return this.writer.revert(turn, options)
  }

  /** Undoes the latest `replace` or `revert` by appending a record. */
  undo(options: table.UndoOptions = {}): Promise<void> {
    return this.writer.undo(options)
  }

  /** A new session with everything up to the end of this turn. */
  async fork(turn: number, id: string, options: { readonly operationId?: string } = {}): Promise<Session<Message>> {
    checkValue('The id of a fork', id, 'id')
    checkOptions('fork', options, table.FORK_OPTIONS)
    await this.log.inOrder(async () => {
      const readable = await this.reader.rows()
      const next = readable[this.reader.turn(readable, turn).end]
      await copyTo(this.log, next, id, { op: options.operationId ?? this.writer.newId(), ...this.writer.stamp() })
    })
    return openSession<Message>(this.log.store, id, this.options)
  }

  /** Takes a lease: from now on only this owner can write. */
  claim(owner: string, options: { readonly takeOver?: boolean } = {}): Promise<number> {
    return this.log.inOrder(async () => {
      checkValue('The owner', owner, 'id')
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

  /** Reads what other writers have appended. */
  refresh(): Promise<number> {
    return this.log.inOrder(async () => {
      await this.log.refresh()
      return this.head
    })
  }

  /** Deletes the session from its store permanently. */
  forget(): Promise<void> {
    return this.log.inOrder(async () => {
      await this.log.store.purge(this.id)
      this.reader.views.clear()
      this.log.restart()
    })
  }

  /** Runs work of one session one after the other within this process. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    checkValue('The work of inTurn', work, 'function')
    return oneByOne(this.log.store, this.id, work)
  }

  /** Runs work of this name once at a time; a second call meanwhile gets the same promise. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    checkValue('The name of work', name, 'name')
    checkValue('The work of once', work, 'function')
    return shared(this.log.store, `${this.id}\u0000${name}`, work)
  }
}
