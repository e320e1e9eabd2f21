/**
 * Everything that a session can answer without writing to its log.
 */
import { type Cause, type Group, type Part, readMessage, SutureError, turns } from '../core/index.ts'
import { checkOptions, checkValue, type OptionTable } from '../core/options.ts'
import { openCalls, type WriterInfo } from './append-records.ts'
import type { Log } from './log.ts'
import type { MessageRow } from './message-reader.ts'
import { callKey, type OpenCall } from './open-round.ts'
import { PAGE_OPTIONS, type Page, type PageOptions, pageOf } from './page.ts'
import { type Author, decode, UNREADABLE } from './record.ts'
import { isTurn } from './session-options.ts'
import type { Entry } from './store.ts'
import { type Verified, verify } from './verify.ts'
import { messagesIn, repaired, type View, viewOf, type Wiring } from './view.ts'

export interface SessionOptions extends Wiring {
  /** Write a snapshot every this many records. Default 256. */
  readonly snapshotEvery?: number | undefined
  /** The cause for calls that are open when the session is opened. Default `crashed`. */
  readonly openCallCause?: Cause | undefined
  /** Adds a time to each record. Default: none. The order of records never depends on it. */
  readonly clock?: (() => string) | undefined
  /** Creates operation ids, which must never repeat. Default: random. */
  readonly ids?: (() => string) | undefined
}

/** The state of a session when it was opened. */
export interface Opened {
  /** Calls without a result, and the cause that their synthetic results state. */
  readonly open: readonly OpenCall[]
  /** Operations whose messages were proposed and neither accepted nor rejected. */
  readonly proposed: readonly string[]
  /** The position of the mark of a turn that was begun and did not end. */
  readonly begun?: number
  /** Positions of records that could not be read. `verify` checks all records. */
  readonly damaged: readonly number[]
  /** The owner of the lease, if there is one. */
  readonly owner: string | null
}

/** A message with its metadata in the log. */
export interface LoggedMessage<Message = unknown> {
  readonly position: number
  readonly message: Message
  readonly author?: Author
  readonly synthetic?: readonly Cause[]
  readonly incomplete?: true
  readonly at?: string
}

/** What to send to repeat a turn: the history before it and its prompt. */
export interface Replay<Message = unknown> {
  readonly history: Message[]
  readonly prompt: Message[]
}

const VIEW_OPTIONS: OptionTable<{ proposedBy?: string }> = { proposedBy: 'name' }

/** Views that are kept for `replace`. */
const VIEWS = 8
const CHUNK = 1000

export class SessionReader {
  readonly found: Opened
  readonly log: Log
  readonly options: SessionOptions
  readonly writer: WriterInfo
  readonly views = new Map<number, View>()
  private readonly openAtStart: ReadonlySet<string>

  constructor(log: Log, options: SessionOptions, owner: string | null) {
    checkValue('A session', log, isLog, 'Open one: await openSession(store, id, { provider }).')
    this.log = log
    this.options = options
    this.openAtStart = new Set(log.openRound.open().map(callKey))
    const author = { provider: options.provider, ...(options.model === undefined ? {} : { model: options.model }) }
    this.writer = { author, clock: options.clock, causeOf: (call) => this.causeOf(call) }
    const { begun, proposals } = log.state
    this.found = {
      open: this.open,
      proposed: proposals.map((one) => one.op),
      damaged: [...log.messages.damaged],
      owner,
      ...(begun === undefined ? {} : { begun }),
    }
  }

  /** The last position this object has seen. */
  get head(): number {
    return this.log.head
  }

  /** Calls that may still be answered, with the cause that is stated until then. */
  get open(): readonly OpenCall[] {
    return openCalls(this.log, this.writer.causeOf)
  }

  /** Open calls that wait for approval. */
  get waiting(): readonly Part[] {
    const waits = new Set(this.log.state.aborted?.waits)
    return waits.size > 0 ? this.log.openRound.open().filter((call) => waits.has(callKey(call))) : []
  }

  view(options: { readonly proposedBy?: string } = {}): Promise<View> {
    return this.log.inOrder(async () => {
      checkOptions('history and view', options, VIEW_OPTIONS)
      const { proposedBy } = options
      if (proposedBy !== undefined) {
        const waiting = (this.log.waiting.get(proposedBy) ?? []).filter((row) => row.message !== UNREADABLE)
        return viewOf(this.log, this.options, this.writer, waiting)
      }
      const view = this.views.get(this.head) ?? (await viewOf(this.log, this.options, this.writer))
      this.views.set(this.head, view)
      for (const upTo of this.views.keys()) if (this.views.size > VIEWS) this.views.delete(upTo)
      return view
    })
  }

  raw(): Promise<readonly unknown[]> {
    return this.log.inOrder(async () => (await this.rows()).map((row) => row.message))
  }

  entries(): Promise<readonly LoggedMessage[]> {
    return this.log.inOrder(async () => {
      const found: LoggedMessage[] = []
      for (const [from, to] of this.log.state.line.spans) {
        for (let at = from; at <= to; at += CHUNK) {
          const entries = await this.log.store.read(this.log.id, at, Math.min(to, at + CHUNK - 1))
          for (const entry of entries) if (entry.kind === 'message') saidIn(entry, found)
        }
      }
      return found
    })
  }

  turns(): Promise<readonly Group[]> {
    return this.log.inOrder(async () => this.groups(await this.rows()))
  }

  page(options: PageOptions = {}): Promise<Page> {
    return this.log.inOrder(async () => {
      checkOptions('page', options, PAGE_OPTIONS)
      return pageOf(await this.rows(), this.log.dialect, this.log.state.changed, options)
    })
  }

  exportLast(count: number): Promise<readonly unknown[]> {
    return this.log.inOrder(async () => {
      checkValue('The number of turns to export', count, 'count')
      const rows = await this.rows()
      const groups = this.groups(rows)
      const first = count > 0 ? groups[Math.max(0, groups.length - count)] : undefined
      return this.repaired(first ? rows.slice(first.start) : [])
    })
  }

  replayFrom(turn: number): Promise<Replay> {
    return this.log.inOrder(async () => {
      const rows = await this.rows()
      const group = this.turn(rows, turn)
      const isAnswer = (row: MessageRow) => readMessage(row.message, this.log.dialect).role === 'assistant'
      const own = rows.slice(group.start, group.end)
      const answer = own.findIndex(isAnswer)
      const prompt = (answer < 0 ? own : own.slice(0, answer)).map((row) => row.message)
      return { history: group.start === 0 ? [] : [...this.repaired(rows.slice(0, group.start))], prompt }
    })
  }

  /** The log itself, record by record. */
  async *records(): AsyncGenerator<Entry> {
    for (let from = 1; from <= this.head; from += CHUNK) {
      yield* await this.log.store.read(this.log.id, from, Math.min(this.head, from + CHUNK - 1))
    }
  }

  /** Checks every record in the store against its hash. */
  verify(): Promise<Verified> {
    return this.log.inOrder(() => verify(this.log))
  }

  /** Readable messages of the line. */
  async rows(): Promise<readonly MessageRow[]> {
    const rows = await this.log.messages.raw(this.log.state.line)
    return rows.some((row) => row.message === UNREADABLE) ? rows.filter((row) => row.message !== UNREADABLE) : rows
  }

  private groups(rows: readonly MessageRow[]): readonly Group[] {
    const messages = rows.map((row) => row.message)
    return turns(messages, this.log.dialect)
  }

  turn(rows: readonly MessageRow[], turn: number): Group {
    checkValue('A turn', turn, isTurn)
    const groups = this.groups(rows)
    const group = groups[turn - 1]
    if (!group) throw noTurn(turn, groups.length)
    return group
  }

  private repaired(rows: readonly MessageRow[]): readonly unknown[] {
    return repaired(messagesIn(rows, this.log), this.options)
  }

  private causeOf(call: Part): Cause {
    const { aborted } = this.log.state
    const own = aborted?.calls?.[callKey(call)]
    return (
      own ??
      aborted?.cause ??
      (this.openAtStart.has(callKey(call)) ? (this.options.openCallCause ?? 'crashed') : 'lost')
    )
  }
}

function isLog(value: unknown): string | undefined {
  return (value as Log | undefined | null)?.openRound === undefined ? 'opened, not made by new' : undefined
}

function saidIn(entry: Entry, found: LoggedMessage[]): void {
  const body = decode(entry.body)
  if (!body || !Object.hasOwn(body, 'message')) return
  const { proposed: _proposed, asSent: _asSent, dialect: _dialect, by, ...rest } = body
  const author = by === undefined ? {} : { author: by as Author }
  found.push({ ...rest, ...author, message: body['message'], position: entry.seq })
}

function noTurn(turn: number, known: number): SutureError {
  return new SutureError(
    'no-such-turn',
    `There is no turn ${turn}; the session has ${known}. Call turns() for a list.`,
    { turn, known },
  )
}
