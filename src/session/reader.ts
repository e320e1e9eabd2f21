/**
 * Everything one can ask of a session without changing it.
 */
import { type Cause, type Dialect, type Group, type Part, SutureError, turns } from '../core/index.ts'
import { checkOptions, checkValue, type OptionTable } from '../core/options.ts'
import { HOLE, type Row } from './lines.ts'
import type { Log } from './log.ts'
import { PAGE_OPTIONS, type Page, type PageOptions, pageOf } from './page.ts'
import { type Author, decode } from './record.ts'
import { isTurn } from './session-options.ts'
import type { Entry } from './store.ts'
import { callKey, type OpenCall } from './tail.ts'
import { type Verified, verify } from './verify.ts'
import { messagesIn, sound, type View, viewOf, type Wiring } from './view.ts'
import { openCalls, type Pen } from './writing.ts'

export interface SessionOptions extends Wiring {
  /** A snapshot is written with every so many records; 256 when absent. */
  readonly snapshotEvery?: number | undefined
  /** What is said of calls that were open when the session was opened; `crashed` when absent. */
  readonly left?: Cause | undefined
  /** Stamps records when given; order never depends on it. */
  readonly clock?: (() => string) | undefined
  /** Makes operation ids; random UUIDs when absent. */
  readonly ids?: (() => string) | undefined
  /** Dialects that a log may be in whose first record does not name one yet. */
  readonly dialects?: readonly Dialect[] | undefined
}

/** What was found when the session was opened. */
export interface Opened {
  /** Calls that have no result, and what is said in its place. */
  readonly open: readonly OpenCall[]
  /** Operations whose messages were proposed and neither accepted nor rejected. */
  readonly proposed: readonly string[]
  /** The position of the mark of a turn that was begun and did not end. */
  readonly begun?: number
  /** Positions of records that could not be read; `verify` looks at all of them. */
  readonly damaged: readonly number[]
  /** Who holds the session. */
  readonly owner: string | null
}

/** One message with what the log knows of it. */
export interface Said {
  readonly position: number
  readonly message: unknown
  readonly by?: Author
  readonly synthetic?: readonly Cause[]
  readonly incomplete?: true
  readonly at?: string
}

/** A turn to be had again: what stood before it, ready to send, and its prompt. */
export interface Replay {
  readonly history: readonly unknown[]
  readonly prompt: readonly unknown[]
}

const VIEW_OPTIONS: OptionTable<{ proposed?: string }> = { proposed: 'name' }

/** So many views are remembered for changes that were made for them. */
const VIEWS = 8
const CHUNK = 1000

export class Reader {
  readonly id: string
  readonly found: Opened
  protected readonly log: Log
  protected readonly options: SessionOptions
  protected readonly pen: Pen
  protected readonly views = new Map<number, View>()
  private readonly left: ReadonlySet<string>

  constructor(log: Log, options: SessionOptions, owner: string | null) {
    checkValue('A session', log, isLog, 'Open one: await openSession(store, id, { provider }).')
    this.id = log.id
    this.log = log
    this.options = options
    this.left = new Set(log.tail.open().map(callKey))
    const author = { provider: options.provider, ...(options.model === undefined ? {} : { model: options.model }) }
    this.pen = { author, clock: options.clock, causeOf: (call) => this.causeOf(call) }
    const { begun, proposals } = log.state
    this.found = {
      open: this.open,
      proposed: proposals.map((one) => one.op),
      damaged: [...log.lines.damaged],
      owner,
      ...(begun === undefined ? {} : { begun }),
    }
  }

  /** Who gets the history, and what it is held to. */
  get wiring(): Wiring {
    return this.options
  }

  /** The last position this object has seen. */
  get head(): number {
    return this.log.head
  }

  /** Calls that may still be answered, and what is said of them as long as they are not. */
  get open(): readonly OpenCall[] {
    return openCalls(this.log, this.pen.causeOf)
  }

  /** Calls that wait for a person: open, and said to wait. */
  get waiting(): readonly Part[] {
    const waits = new Set(this.log.state.aborted?.waits)
    return waits.size > 0 ? this.log.tail.open().filter((call) => waits.has(callKey(call))) : []
  }

  /** What to send: accepted by its provider at once. `proposed`: with the messages that this operation proposed. */
  async history(options: { readonly proposed?: string } = {}): Promise<readonly unknown[]> {
    return (await this.view(options)).history
  }

  /** The view to send, with what a change that is made for it is committed by. */
  view(options: { readonly proposed?: string } = {}): Promise<View> {
    return this.log.inOrder(async () => {
      checkOptions('history and view', options, VIEW_OPTIONS)
      const { proposed } = options
      if (proposed !== undefined) {
        const waiting = (this.log.waiting.get(proposed) ?? []).filter((row) => row.message !== HOLE)
        return viewOf(this.log, this.options, this.pen, waiting)
      }
      const view = this.views.get(this.head) ?? (await viewOf(this.log, this.options, this.pen))
      this.views.set(this.head, view)
      for (const upTo of this.views.keys()) if (this.views.size > VIEWS) this.views.delete(upTo)
      return view
    })
  }

  /** What was said on the line, without patches and repairs. */
  raw(): Promise<readonly unknown[]> {
    return this.log.inOrder(async () => (await this.rows()).map((row) => row.message))
  }

  /** What was said, with who wrote it and where it stands. */
  entries(): Promise<readonly Said[]> {
    return this.log.inOrder(async () => {
      const said: Said[] = []
      for (const [from, to] of this.log.state.line.spans) {
        for (let at = from; at <= to; at += CHUNK) {
          const entries = await this.log.store.read(this.id, at, Math.min(to, at + CHUNK - 1))
          for (const entry of entries) if (entry.kind === 'message') saidIn(entry, said)
        }
      }
      return said
    })
  }

  turns(): Promise<readonly Group[]> {
    return this.log.inOrder(async () => this.groups(await this.rows()))
  }

  /** Whole turns of what was said, from either end. */
  page(options: PageOptions = {}): Promise<Page> {
    return this.log.inOrder(async () => {
      checkOptions('page', options, PAGE_OPTIONS)
      return pageOf(await this.rows(), this.log.dialect, this.log.state.changed, options)
    })
  }

  /** The last so many turns as a history of their own, ready to send. */
  exportLast(count: number): Promise<readonly unknown[]> {
    return this.log.inOrder(async () => {
      checkValue('The number of turns to export', count, 'count')
      const rows = await this.rows()
      const groups = this.groups(rows)
      const first = count > 0 ? groups[Math.max(0, groups.length - count)] : undefined
      return this.sound(first ? rows.slice(first.start) : [])
    })
  }

  /** What to send to have this turn again. Changes nothing: revert to it when the new answer is there. */
  replayFrom(turn: number): Promise<Replay> {
    return this.log.inOrder(async () => {
      const rows = await this.rows()
      const group = this.turn(rows, turn)
      const isAnswer = (row: Row) => this.log.dialect.read(row.message, 0, []) === 'assistant'
      const own = rows.slice(group.start, group.end)
      const answer = own.findIndex(isAnswer)
      const prompt = (answer < 0 ? own : own.slice(0, answer)).map((row) => row.message)
      return { history: group.start === 0 ? [] : this.sound(rows.slice(0, group.start)), prompt }
    })
  }

  /** The log itself, record by record. */
  async *records(): AsyncGenerator<Entry> {
    for (let from = 1; from <= this.head; from += CHUNK) {
      yield* await this.log.store.read(this.id, from, Math.min(this.head, from + CHUNK - 1))
    }
  }

  /** Holds every record in the store against its hash. */
  verify(): Promise<Verified> {
    return this.log.inOrder(() => verify(this.log))
  }

  /** Messages on the line that can be read. */
  protected async rows(): Promise<readonly Row[]> {
    const rows = await this.log.lines.raw(this.log.state.line)
    return rows.some((row) => row.message === HOLE) ? rows.filter((row) => row.message !== HOLE) : rows
  }

  protected groups(rows: readonly Row[]): readonly Group[] {
    const messages = rows.map((row) => row.message)
    return turns(messages, this.log.dialect)
  }

  protected turn(rows: readonly Row[], turn: number): Group {
    checkValue('A turn', turn, isTurn)
    const groups = this.groups(rows)
    const group = groups[turn - 1]
    if (!group) throw noTurn(turn, groups.length)
    return group
  }

  private sound(rows: readonly Row[]): readonly unknown[] {
    return sound(messagesIn(rows, this.log), this.options)
  }

  private causeOf(call: Part): Cause {
    const { aborted } = this.log.state
    const own = aborted?.calls?.[callKey(call)]
    return own ?? aborted?.cause ?? (this.left.has(callKey(call)) ? (this.options.left ?? 'crashed') : 'lost')
  }
}

function isLog(value: unknown): string | undefined {
  return (value as Log | undefined | null)?.tail === undefined ? 'opened, not made by new' : undefined
}

function saidIn(entry: Entry, said: Said[]): void {
  const body = decode(entry.body)
  if (!body || !Object.hasOwn(body, 'message')) return
  const { proposed: _proposed, asSent: _asSent, dialect: _dialect, ...rest } = body
  said.push({ ...rest, message: body['message'], position: entry.seq })
}

function noTurn(turn: number, known: number): SutureError {
  return new SutureError(
    'no-such-turn',
    `There is no turn ${turn}: the session has ${known}. Ask turns() which there are.`,
    { turn, known },
  )
}
