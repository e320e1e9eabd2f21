/** Reads the messages of a line from the store when they are needed, and caches them. An append does not need them. */
import { insertedBy } from './patch-records.ts'
import { rawTextIn } from './raw-message.ts'
import { decode, type Item, type Replaced, UNREADABLE } from './record.ts'
import { withReplaced } from './replaced-messages.ts'
import type { Line, Span } from './state.ts'
import type { Entry } from './store.ts'

/** A message with its position in the log. */
export interface MessageRow {
  /** Its position in the log; 0: a patch added it. */
  readonly seq: number
  readonly message: unknown
  /** Synthetic results for calls that have none. */
  readonly synthetic?: true
  /** A late result: the position of the synthetic one that it replaces. */
  readonly insteadOf?: number
  /** Its JSON text, if `jsonText` would write it differently. */
  readonly text?: string
}

export type Read = (from: number, to: number) => Promise<readonly Entry[]>

const CHUNK = 1000
/** Messages that left the line and are kept read. */
const MOST_GONE = 1000

export class MessageReader {
  private readonly read: Read
  private rows: MessageRow[] | undefined
  /** Messages that left the line, by position; they may come back. */
  private readonly gone = new Map<number, MessageRow>()
  private readonly inserts = new Map<number, readonly unknown[]>()
  /** Positions of records that could not be read. */
  readonly damaged = new Set<number>()
  /** There are synthetic results, so there may be late ones. */
  hasSynthetic = false

  constructor(read: Read, empty: boolean) {
    this.read = read
    if (empty) this.rows = []
  }

  push(row: MessageRow): void {
    this.rows?.push(row)
  }

  cut(keep: number): void {
    if (this.rows) this.rows.length = keep
  }

  replace(accepted: readonly MessageRow[], replaces: readonly Replaced[]): void {
    if (!this.rows) return
    if (this.gone.size > MOST_GONE) this.gone.clear()
    for (const { index, count } of replaces)
      for (const row of this.rows.slice(index, index + count)) this.gone.set(row.seq, row)
    const areKnown = replaces.every(({ back = [] }) => back.every(([from, to]) => this.hasGone(from, to)))
    // Otherwise what comes back is read again.
    this.rows = areKnown ? withReplaced(this.rows, accepted, replaces, (seq) => this.gone.get(seq)!) : undefined
  }

  private hasGone(from: number, to: number): boolean {
    for (let seq = from; seq <= to; seq++) if (!this.gone.has(seq)) return false
    return true
  }

  /** A message that is not in the line now. */
  async left(seq: number): Promise<MessageRow | undefined> {
    const known = this.gone.get(seq)
    const [entry] = known ? [] : await this.read(seq, seq)
    return entry?.kind === 'message' ? this.rowOf(entry) : known
  }

  forget(): void {
    this.rows = undefined
  }

  /** All messages of the line, also unreadable ones. */
  async raw(line: Line): Promise<readonly MessageRow[]> {
    if (!this.rows) {
      const rows: MessageRow[] = []
      for (const span of line.spans) await this.readSpan(span, rows)
      this.rows = rows
    }
    return this.rows
  }

  /** The last messages of the line, without reading the rest. */
  async last(line: Line, count: number): Promise<readonly MessageRow[]> {
    if (this.rows) return this.rows.slice(this.rows.length - count)
    const found: MessageRow[] = []
    for (let i = line.spans.length - 1; i >= 0 && found.length < count; i--) {
      const [from, to] = line.spans[i]!
      for (let end = to; end >= from && found.length < count; end -= 64) {
        const rows: MessageRow[] = []
        await this.readSpan([Math.max(from, end - 63), end], rows)
        found.unshift(...rows)
      }
    }
    return found.slice(Math.max(0, found.length - count))
  }

  /** The messages of the line with its patches applied. */
  async base(line: Line): Promise<readonly MessageRow[]> {
    const raw = await this.raw(line)
    const top = line.overlays.at(-1)
    if (!top) return raw
    const rows: MessageRow[] = []
    for (const item of top.items) for (const row of await this.itemRows(item, raw)) rows.push(row)
    for (let i = top.frozen; i < raw.length; i++) rows.push(raw[i]!)
    return rows
  }

  private async itemRows([from, to, patch]: Item, raw: readonly MessageRow[]): Promise<readonly MessageRow[]> {
    if (patch === undefined) return raw.slice(from, to)
    const inserted = await this.insertsOf(patch)
    return inserted.slice(from, to).map((message) => ({ seq: 0, message }))
  }

  private async insertsOf(patch: number): Promise<readonly unknown[]> {
    let found = this.inserts.get(patch)
    if (!found) {
      const [entry] = await this.read(patch, patch)
      const inserted = entry && insertedBy(decode(entry.body))
      found = inserted ?? []
      if (!inserted) this.damaged.add(patch)
      this.inserts.set(patch, found)
    }
    return found
  }

  private async readSpan([from, to]: Span, rows: MessageRow[]): Promise<void> {
    for (let at = from; at <= to; at += CHUNK) {
      for (const entry of await this.read(at, Math.min(to, at + CHUNK - 1))) {
        if (entry.kind === 'message') rows.push(this.rowOf(entry))
      }
    }
  }

  /** The message of a record with its metadata; `UNREADABLE` if it cannot be read. */
  rowOf({ seq, body: text }: Entry, body = decode(text)): MessageRow {
    if (!body || !Object.hasOwn(body, 'message')) {
      this.damaged.add(seq)
      return { seq, message: UNREADABLE }
    }
    const { message, synthetic, insteadOf } = body
    if (synthetic !== undefined) this.hasSynthetic = true
    const raw = rawTextIn(text, body['asSent'])
    const spelled = raw === undefined ? {} : { text: raw }
    if (typeof insteadOf === 'number') return { seq, message, insteadOf, ...spelled }
    if (raw !== undefined && synthetic === undefined) return { seq, message, text: raw }
    return synthetic === undefined ? { seq, message } : { seq, message, synthetic: true }
  }
}

/** The part of these spans with the first `keep` rows. */
export function spansOf(spans: readonly Span[], rows: readonly MessageRow[], keep: number): readonly Span[] {
  const kept: Span[] = []
  let at = 0
  for (const [from, to] of spans) {
    if (at >= keep) break
    let last = from
    while (at < keep && rows[at]!.seq >= from && rows[at]!.seq <= to) last = rows[at++]!.seq
    kept.push([from, at < keep || rows[at] === undefined || rows[at]!.seq > to || rows[at]!.seq < from ? to : last])
  }
  return kept
}
