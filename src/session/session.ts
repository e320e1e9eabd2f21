/**
 * A stored conversation: an append-only log in a store, and the history that follows from it. Stored records are never
 * rewritten. Gets its provider and store as arguments; knows no database and no provider by name.
 */
import { type Cause, type Group, type Part, type Patch, parseJson, readMessage, turns } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import { type Appended, type AppendOptions, openCalls, type WriterInfo } from './append-records.ts'
import { forkTo } from './fork.ts'
import { oneByOne, shared } from './in-process-lock.ts'
import type { Log } from './log.ts'
import { LogWriter } from './log-writer.ts'
import { callKey, type OpenCall } from './open-round.ts'
import { messagesOf, PAGE_OPTIONS, type Page, type PageOptions, pageOf, turnOf } from './page.ts'
import type { RawMessage } from './raw-message.ts'
import { type Author, decode, UNREADABLE } from './record.ts'
import { revisionsOf } from './revisions.ts'
import * as table from './session-options.ts'
import { SessionWriter } from './session-writer.ts'
import type { Entry, Lineage, Store } from './store.ts'
import { checkDialect } from './stored-dialect.ts'
import { type Verified, verify } from './verify.ts'
import { messagesIn, repaired, type View, viewOf, type Wiring } from './view.ts'

/** Views that are kept for `replace`. */
const VIEWS = 8
const CHUNK = 1000

/** Opens a session or creates it. Reads from the latest snapshot on; `found` lists what a crash left open. */
export async function openSession<Message = unknown>(
  store: Store,
  id: string,
  options: table.SessionOptions,
): Promise<Session<Message>> {
  const writer = new LogWriter(store, id, options.service.dialect, options.snapshotEvery ?? 256)
  const { owner } = await writer.refresh()
  if (writer.log.head > 0) await checkDialect(writer.log, options.provider)
  return new Session<Message>(writer, options, owner)
}

/** `Message`: the message type of the provider's SDK. It is not checked at run time. */
export class Session<Message = unknown> {
  readonly id: string
  /** The state of the session when it was opened: open calls, proposals, damage. */
  readonly found: table.Opened
  private readonly log: Log
  private readonly logWriter: LogWriter
  private readonly writer: SessionWriter
  private readonly info: WriterInfo
  private readonly views = new Map<number, View>()
  private readonly openAtStart: ReadonlySet<string>
  private readonly options: table.SessionOptions

  constructor(logWriter: LogWriter, options: table.SessionOptions, owner: string | null) {
    checkValue('A session', logWriter, isLogWriter, 'Open one: await openSession(store, id, { provider }).')
    const { log } = logWriter
    this.id = log.id
    this.log = log
    this.logWriter = logWriter
    this.options = options
    this.openAtStart = new Set(log.openRound.open().map(callKey))
    const author = { provider: options.provider, ...(options.model === undefined ? {} : { model: options.model }) }
    this.info = { author, clock: options.clock, causeOf: (call) => this.causeOf(call) }
    this.writer = new SessionWriter(logWriter, options, this.info, this.views)
    const { begun, proposals } = log.state
    this.found = {
      open: this.open,
      proposed: proposals.map((one) => one.op),
      damaged: [...log.messages.damaged],
      owner,
      ...(begun === undefined ? {} : { begun }),
    }
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
    return openCalls(this.log, this.info.causeOf)
  }

  /** Operations whose messages were proposed and neither accepted nor rejected, as far as this object has read. */
  get proposed(): readonly string[] {
    return this.log.state.proposals.map(({ op }) => op)
  }

  /** Open calls that wait for approval. */
  get waiting(): readonly Part[] {
    const waits = new Set(this.log.state.aborted?.waits)
    return waits.size > 0 ? this.log.openRound.open().filter((call) => waits.has(callKey(call))) : []
  }

  /** The history to send. `proposedBy`: an operation whose proposed messages are included. */
  async history(options: { readonly proposedBy?: string } = {}): Promise<Message[]> {
    const { history } = await this.view(options)
    return [...history]
  }

  /** The history to send, with `upTo` and `prefixHash` for `replace`. */
  view(options: { readonly proposedBy?: string } = {}): Promise<View<Message>> {
    return this.inOrder(async () => {
      checkOptions('history and view', options, table.VIEW_OPTIONS)
      const { proposedBy } = options
      if (proposedBy !== undefined) {
        const waiting = (this.log.waiting.get(proposedBy) ?? []).filter((row) => row.message !== UNREADABLE)
        return viewOf(this.log, this.options, this.info, waiting)
      }
      const view = this.views.get(this.head) ?? (await viewOf(this.log, this.options, this.info))
      this.views.set(this.head, view)
      for (const upTo of this.views.keys()) if (this.views.size > VIEWS) this.views.delete(upTo)
      return view
    }) as Promise<View<Message>>
  }

  /** All messages as they were appended, without patches and repairs. `at`: as they were at this position of the log. */
  raw(options: { readonly at?: number } = {}): Promise<Message[]> {
    return this.inOrder(async () => messagesOf(await (await logAt(this.log, this.head, options)).rows()) as Message[])
  }

  /** System prompt and tools of the latest turn, if they were given; `at`: of the latest turn then. */
  settings(options: { readonly at?: number } = {}): Promise<unknown> {
    return this.inOrder(async () => {
      const found = await (await logAt(this.log, this.head, options)).settings()
      return found && parseJson(found.text)
    })
  }

  /** All messages with author, position and time. `revisions`: also those that others took the place of. */
  entries(options: { readonly revisions?: boolean } = {}): Promise<readonly table.LoggedMessage<Message>[]> {
    return this.inOrder(async () => {
      checkOptions('entries', options, table.ENTRIES_OPTIONS)
      if (options.revisions)
        return (await revisionsOf(this.log, (entry) => loggedIn(entry)[0])) as table.LoggedMessage<Message>[]
      const found: table.LoggedMessage[] = []
      for (const [from, to] of this.log.state.line.spans) {
        for (let at = from; at <= to; at += CHUNK) {
          const entries = await this.log.read(at, Math.min(to, at + CHUNK - 1))
          for (const entry of entries) if (entry.kind === 'message') found.push(...loggedIn(entry))
        }
      }
      return found as table.LoggedMessage<Message>[]
    })
  }

  turns(): Promise<readonly Group[]> {
    return this.inOrder(async () => turns(messagesOf(await this.log.rows()), this.log.dialect))
  }

  /** Whole turns, from either end. */
  page(options: PageOptions = {}): Promise<Page<Message>> {
    return this.inOrder(async () => {
      checkOptions('page', options, PAGE_OPTIONS)
      return pageOf(await this.log.rows(), this.log.dialect, this.log.state.changed, options)
    }) as Promise<Page<Message>>
  }

  /** The last `count` turns as a history of their own, ready to send. */
  exportLast(count: number): Promise<Message[]> {
    return this.inOrder(async () => {
      checkValue('The number of turns to export', count, 'count')
      const rows = await this.log.rows()
      const groups = turns(messagesOf(rows), this.log.dialect)
      const first = count > 0 ? groups[Math.max(0, groups.length - count)] : undefined
      return [...repaired(messagesIn(first ? rows.slice(first.start) : [], this.log), this.options)] as Message[]
    })
  }

  /** What to send to repeat a turn. Changes nothing: call `revert` when the new answer is there. */
  replayFrom(turn: number): Promise<table.Replay<Message>> {
    return this.inOrder(async () => {
      const rows = await this.log.rows()
      const { start, end } = turnOf(rows, turn, this.log.dialect)
      const own = messagesOf(rows.slice(start, end)) as Message[]
      const answer = own.findIndex((message) => readMessage(message, this.log.dialect).role === 'assistant')
      const before = start === 0 ? [] : repaired(messagesIn(rows.slice(0, start), this.log), this.options)
      return { history: [...before] as Message[], prompt: answer < 0 ? own : own.slice(0, answer) }
    })
  }

  /** The records of the log. */
  async *records(): AsyncGenerator<Entry> {
    for (let from = 1; from <= this.head; from += CHUNK) {
      yield* await this.log.store.read(this.id, from, Math.min(this.head, from + CHUNK - 1))
    }
  }

  /** Checks every record in the store against its hash. */
  verify(): Promise<Verified> {
    return this.inOrder(() => verify(this.log))
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

  /** Changes the view by a patch. Replaced messages stay in the log; later ones follow the change. */
  replace(patch: Patch, options: table.ReplaceOptions): Promise<Appended> {
    return this.writer.replace(patch, options)
  }

  /** Removes this turn and all after it from the view. `undo` restores them until something is appended. */
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
    await this.inOrder(async () => {
      const rows = await this.log.rows()
      const next = rows[turnOf(rows, turn, this.log.dialect).end]
      const stamp = { op: options.operationId ?? this.writer.newId(), ...this.writer.stamp() }
      await forkTo(this.log, { turn, next }, id, stamp)
    })
    return openSession<Message>(this.log.store, id, this.options)
  }

  /** A branch of this session with all of its messages; `empty`: with none, it only belongs to this one. */
  async branch(id: string, options: { readonly operationId?: string; readonly empty?: boolean } = {}) {
    checkValue('The id of a branch', id, 'id')
    checkOptions('branch', options, table.BRANCH_OPTIONS)
    const { operationId: op = this.writer.newId(), empty = false } = options
    await this.inOrder(() => forkTo(this.log, { empty }, id, { op, ...this.writer.stamp() }))
    return openSession<Message>(this.log.store, id, this.options)
  }

  /** The session that this one branches off from, if it does, and its own branches. */
  lineage(): Promise<Lineage> {
    return this.log.store.lineage(this.id)
  }

  /** Takes a lease: from now on only this owner can write. */
  claim(owner: string, options: { readonly takeOver?: boolean } = {}): Promise<number> {
    return this.inOrder(async () => {
      checkValue('The owner', owner, 'id')
      checkOptions('claim', options, table.CLAIM_OPTIONS)
      const { epoch } = await this.log.store.claim(this.id, owner, { takeOver: options.takeOver ?? false })
      this.logWriter.epoch = epoch
      await this.logWriter.refresh()
      return epoch
    })
  }

  release(): Promise<void> {
    return this.inOrder(async () => {
      if (this.logWriter.epoch !== undefined) await this.log.store.release(this.id, this.logWriter.epoch)
      this.logWriter.epoch = undefined
    })
  }

  /** Reads what other writers have appended. */
  refresh(): Promise<number> {
    return this.inOrder(async () => {
      await this.logWriter.refresh()
      return this.head
    })
  }

  /** Deletes the session from its store permanently. Its branches keep what they share, or are deleted as well. */
  forget(options: { readonly withBranches?: boolean } = {}): Promise<void> {
    return this.inOrder(async () => {
      checkOptions('forget', options, table.FORGET_OPTIONS)
      if (options.withBranches) await purgeBranches(this.log.store, this.id)
      await this.log.store.purge(this.id)
      this.views.clear()
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

  /** Operations of one session object do not overlap. */
  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.logWriter.inOrder(work)
  }

  private causeOf(call: Part): Cause {
    const { aborted } = this.log.state
    const key = callKey(call)
    const cause = aborted?.calls?.[key] ?? aborted?.cause
    return cause ?? (this.openAtStart.has(key) ? (this.options.openCallCause ?? 'crashed') : 'lost')
  }
}

async function purgeBranches(store: Store, id: string): Promise<void> {
  for (const branch of (await store.lineage(id)).branches) {
    await purgeBranches(store, branch)
    await store.purge(branch)
  }
}

function isLogWriter(value: unknown): string | undefined {
  return value instanceof LogWriter ? undefined : 'opened, not made by new'
}

/** The message of a record; none if it cannot be read. */
function loggedIn({ body: text, seq }: Entry): readonly table.LoggedMessage[] {
  const body = decode(text)
  if (!body || !Object.hasOwn(body, 'message')) return []
  const { proposed: _proposed, asSent: _asSent, dialect: _dialect, by, ...rest } = body
  const author = by === undefined ? {} : { author: by as Author }
  return [{ ...rest, ...author, message: body['message'], position: seq }]
}

/** The log as it was at a position. */
async function logAt(log: Log, head: number, options: { readonly at?: number }): Promise<Log> {
  checkOptions('raw and settings', options, table.AT_OPTIONS)
  const { at = head } = options
  if (at >= head) return log
  const earlier = new LogWriter(log.store, log.id, log.dialect, Number.POSITIVE_INFINITY)
  await earlier.readOn(at)
  return earlier.log
}
