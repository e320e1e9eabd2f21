/**
 * A log read record by record: the state it says, its open end, and the messages that were asked for.
 */
import type { Dialect } from '../core/index.ts'
import { HOLE, Lines, type Row } from './lines.ts'
import { decode, type MarkBody, type PatchBody, type UndoBody } from './record.ts'
import { joined, type Line, marked, proposed, replaced, reverted, START, type State, settled, undone } from './state.ts'
import type { Entry, Store } from './store.ts'
import { Tail } from './tail.ts'

export class Fold {
  readonly store: Store
  readonly id: string
  readonly dialect: Dialect
  state: State = START
  head = 0
  hash = ''
  tail: Tail
  lines: Lines
  /** Messages that wait for their acceptance, by operation. */
  readonly waiting = new Map<string, readonly Row[]>()
  /** The position of the latest snapshot. */
  protected snapshot = 0

  constructor(store: Store, id: string, dialect: Dialect) {
    this.store = store
    this.id = id
    this.dialect = dialect
    this.tail = new Tail(dialect)
    this.lines = this.newLines(true)
  }

  restart(): void {
    this.state = START
    this.head = this.snapshot = 0
    this.hash = ''
    this.tail = new Tail(this.dialect)
    this.lines = this.newLines(true)
    this.waiting.clear()
  }

  /** One that can be folded on without touching this one. */
  protected copy(): Fold {
    const copy = new Fold(this.store, this.id, this.dialect)
    copy.state = this.state
    copy.head = this.head
    copy.tail.reset(this.tail.messages)
    copy.lines.forget()
    for (const [op, rows] of this.waiting) copy.waiting.set(op, rows)
    return copy
  }

  private newLines(empty: boolean): Lines {
    return new Lines((from, to) => this.store.read(this.id, from, to), empty)
  }

  /** Folds one record. What cannot be read changes nothing but keeps its place. One that needs more of the log, which cannot be had, is as if it was never seen. */
  take(entry: Entry): Promise<void> | undefined {
    const { state, head } = this
    return this.fold(entry)?.catch((error: unknown) => {
      this.state = state
      this.head = head
      this.lines.forget()
      throw error
    })
  }

  private fold(entry: Entry): Promise<void> | undefined {
    this.head = entry.seq
    if (entry.kind === 'message') this.takeMessage(entry)
    if (entry.kind === 'snapshot') this.snapshot = entry.seq
    if (entry.kind !== 'mark' && entry.kind !== 'patch') return undefined
    const body = decode(entry.body)
    if (!body) {
      this.lines.damaged.add(entry.seq)
      return undefined
    }
    if (entry.kind === 'mark') return this.takeMark(entry.seq, body as unknown as MarkBody)
    return this.takePatch(entry.seq, body)
  }

  private takeMessage(entry: Entry): void {
    const body = decode(entry.body)
    if (body?.['proposed'] === true) {
      this.state = proposed(this.state, entry.op, entry.seq)
      this.wait(entry.op, entry)
      return
    }
    this.join(this.lines.rowOf(entry, body))
  }

  protected wait(op: string, entry: Entry): void {
    const rows = this.waiting.get(op) ?? []
    this.waiting.set(op, [...rows, this.lines.rowOf(entry)])
  }

  private join(row: Row): void {
    this.state = joined(this.state, row.seq)
    this.lines.push(row)
    if (row.message === HOLE) return
    this.tail.push(row.message)
    if (this.state.aborted && this.tail.open().length === 0) {
      const { aborted: _over, ...rest } = this.state
      this.state = rest
    }
  }

  private takeMark(seq: number, body: MarkBody): Promise<void> | undefined {
    if (body.mark === 'accepted' || body.mark === 'rejected') {
      const rows = this.waiting.get(body.op) ?? []
      this.waiting.delete(body.op)
      this.state = settled(this.state, body.op)
      if (body.mark === 'accepted') for (const row of rows) this.join(row)
      return undefined
    }
    if (body.mark !== 'reverted') {
      this.state = marked(this.state, seq, body)
      return undefined
    }
    this.state = reverted(this.state, seq, body.keep, body.spans)
    this.lines.cut(body.keep)
    return this.openTail(body.tail)
  }

  private takePatch(seq: number, body: object): Promise<void> | undefined {
    if ('undoes' in body) {
      const wasRevert = this.state.reverted?.seq === body.undoes
      this.state = undone(this.state, seq, body as UndoBody)
      if (wasRevert) this.lines.forget()
      return this.openTail((body as UndoBody).tail)
    }
    const patch = body as PatchBody
    if (!Array.isArray(patch.items) || !Array.isArray(patch.insert)) return void this.lines.damaged.add(seq)
    this.state = replaced(this.state, seq, patch)
    // All of it was replaced: whatever was open is said otherwise now.
    if (patch.frozen >= this.state.line.count) this.tail.reset([])
    return undefined
  }

  /** The last messages of another line than the present one. */
  readLast(line: Line, count: number): Promise<readonly Row[]> {
    const lines = this.newLines(false)
    return lines.last(line, count)
  }

  protected async openTail(count: number): Promise<void> {
    const rows = count > 0 ? await this.lines.last(this.state.line, count) : []
    this.tail.reset(rows.map((row) => row.message).filter((message) => message !== HOLE))
  }
}
