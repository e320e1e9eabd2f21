/** The log of one session as far as it was read: its state, its open round and its messages. Does not write. */
import type { Dialect } from '../core/index.ts'
import { MessageReader, type MessageRow } from './message-reader.ts'
import { OpenRound } from './open-round.ts'
import { overlayOf } from './patch-records.ts'
import { type AcceptedBody, checkRecordVersion, decode, type MarkBody, UNREADABLE, type UndoBody } from './record.ts'
import { replacedState } from './replaced-messages.ts'
import { sha256 } from './sha256.ts'
import {
  forked,
  joined,
  type Line,
  marked,
  proposed,
  replaced,
  reverted,
  START,
  type State,
  settled,
  undone,
} from './state.ts'
import type { Entry, Store } from './store.ts'
import { type StoredSettings, settingsAt, withWholeMessages } from './stored-difference.ts'

export class Log {
  readonly store: Store
  readonly id: string
  readonly dialect: Dialect
  readonly sha256: (text: string) => string
  state: State = START
  head = 0
  hash = ''
  openRound: OpenRound
  messages: MessageReader
  /** Proposed messages, by operation. */
  readonly waiting = new Map<string, readonly MessageRow[]>()
  /** Settings that were read, by the position of their mark. */
  private known: { readonly at: number; readonly settings: StoredSettings | undefined } | undefined
  /** The position of the latest snapshot. */
  snapshot = 0

  constructor(store: Store, id: string, dialect: Dialect) {
    this.store = store
    this.id = id
    this.dialect = dialect
    this.sha256 = (text) => (store.sha256 ? store.sha256(text) : sha256(text))
    this.openRound = new OpenRound(dialect)
    this.messages = this.newReader(true)
  }

  restart(): void {
    this.state = START
    this.head = this.snapshot = 0
    this.hash = ''
    this.openRound = new OpenRound(this.dialect)
    this.messages = this.newReader(true)
    this.waiting.clear()
  }

  /** A copy that can read on without changing this one. */
  copy(): Log {
    const copy = new Log(this.store, this.id, this.dialect)
    copy.state = this.state
    copy.head = this.head
    copy.openRound.reset(this.openRound.messages)
    copy.messages.forget()
    for (const [op, rows] of this.waiting) copy.waiting.set(op, rows)
    return copy
  }

  private newReader(empty: boolean): MessageReader {
    return new MessageReader((from, to) => this.read(from, to), empty)
  }

  /** Entries of the store, with messages that are stored as differences made whole. */
  async read(from: number, to: number): Promise<readonly Entry[]> {
    return withWholeMessages(await this.store.read(this.id, from, to), this.one)
  }

  /** One record as it is stored. */
  readonly one = async (seq: number): Promise<Entry | undefined> => (await this.store.read(this.id, seq, seq))[0]

  /** Reads one record; an unreadable one changes nothing. If the store fails meanwhile, it counts as unread. */
  take(entry: Entry): Promise<void> | undefined {
    const { state, head } = this
    return this.fold(entry)?.catch((error: unknown) => {
      this.state = state
      this.head = head
      this.messages.forget()
      throw error
    })
  }

  private fold(entry: Entry): Promise<void> | undefined {
    // A snapshot repeats what the records before it say, so it is not read here.
    const body = entry.kind === 'snapshot' ? undefined : decode(entry.body)
    checkRecordVersion(this.id, entry.seq, body)
    this.head = entry.seq
    if (entry.kind === 'message') this.takeMessage(entry, body)
    if (entry.kind === 'snapshot') this.snapshot = entry.seq
    if (entry.kind !== 'mark' && entry.kind !== 'patch') return undefined
    if (!body) {
      this.messages.damaged.add(entry.seq)
      return undefined
    }
    if (entry.kind === 'mark') return this.takeMark(entry.seq, body as unknown as MarkBody)
    return this.takePatch(entry.seq, body)
  }

  private takeMessage(entry: Entry, body: ReturnType<typeof decode>): void {
    if (body?.['proposed'] === true) {
      this.state = proposed(this.state, entry.op, entry.seq)
      this.wait(entry.op, entry)
      return
    }
    this.join(this.messages.rowOf(entry, body))
  }

  wait(op: string, entry: Entry): void {
    const rows = this.waiting.get(op) ?? []
    this.waiting.set(op, [...rows, this.messages.rowOf(entry)])
  }

  private join(row: MessageRow): void {
    this.state = joined(this.state, row.seq)
    this.messages.push(row)
    if (row.message === UNREADABLE) return
    this.openRound.push(row.message)
    if (this.state.aborted && this.openRound.open().length === 0) {
      const { aborted: _over, ...rest } = this.state
      this.state = rest
    }
  }

  private takeMark(seq: number, body: MarkBody): Promise<void> | undefined {
    if (body.mark === 'accepted' || body.mark === 'rejected') {
      const { op = '' } = body
      const rows = this.waiting.get(op) ?? []
      this.waiting.delete(op)
      this.state = settled(this.state, op)
      return body.mark === 'accepted' ? this.takeAccepted(seq, body, rows) : undefined
    }
    if (body.mark !== 'reverted' && body.mark !== 'forked') {
      this.state = marked(this.state, seq, body)
      return undefined
    }
    const cut = body.mark === 'forked' ? forked : reverted
    if (body.mark === 'forked') this.waiting.clear()
    this.state = cut(this.state, seq, body.keep, body.spans)
    this.messages.cut(body.keep)
    return this.reopen(body.tail)
  }

  private takeAccepted(seq: number, body: AcceptedBody, rows: readonly MessageRow[]): Promise<void> | undefined {
    if (body.settings) this.state = { ...this.state, settings: seq }
    if (!body.replaces) {
      for (const row of rows) this.join(row)
      return undefined
    }
    this.state = replacedState(this.state, seq, rows, body.replaces)
    this.messages.replace(rows, body.replaces)
    return this.reopen(body.tail ?? 0)
  }

  /** The settings of the latest turn; undefined: no turn has any. */
  async settings(): Promise<StoredSettings | undefined> {
    const { settings: at } = this.state
    if (at === undefined) return undefined
    if (this.known?.at !== at) this.known = { at, settings: await settingsAt(at, this.one) }
    return this.known.settings
  }

  private takePatch(seq: number, body: Readonly<Record<string, unknown>>): Promise<void> | undefined {
    if ('undoes' in body) {
      const undo = body as unknown as UndoBody
      const wasRevert = this.state.reverted?.seq === undo.undoes
      this.state = undone(this.state, seq, undo)
      if (wasRevert) this.messages.forget()
      return this.reopen(undo.tail)
    }
    const overlay = overlayOf(this.state.line, seq, body)
    if (!overlay) return void this.messages.damaged.add(seq)
    this.state = replaced(this.state, overlay)
    // The whole line was replaced, so nothing is open any more.
    if (overlay.frozen >= this.state.line.count) this.openRound.reset([])
    return undefined
  }

  /** The readable messages of the line. */
  async rows(): Promise<readonly MessageRow[]> {
    const rows = await this.messages.raw(this.state.line)
    return rows.some((row) => row.message === UNREADABLE) ? rows.filter((row) => row.message !== UNREADABLE) : rows
  }

  /** The last messages of another line than the current one. */
  readLast(line: Line, count: number): Promise<readonly MessageRow[]> {
    return this.newReader(false).last(line, count)
  }

  /** The last `count` messages are the open round. */
  async reopen(count: number): Promise<void> {
    const rows = count > 0 ? await this.messages.last(this.state.line, count) : []
    this.openRound.reset(rows.map((row) => row.message).filter((message) => message !== UNREADABLE))
  }
}
