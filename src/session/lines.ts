/**
 * The messages behind a state, read from the store when somebody asks for them, and kept.
 * An append does not need them.
 */
import { rawTextIn } from './raw.ts'
import type { Item } from './record.ts'
import { decode } from './record.ts'
import type { Line, Span } from './state.ts'
import type { Entry } from './store.ts'

export interface Row {
  /** Its position in the log; 0: a patch brought it. */
  readonly seq: number
  readonly message: unknown
  /** It was made up for calls that have no result. */
  readonly synthetic?: true
  /** A late result: the position of the made-up one in whose place it stands. */
  readonly insteadOf?: number
  /** Its JSON text, where that is written otherwise than `jsonText` would write it. */
  readonly text?: string
}

/** Keeps the place of a record that cannot be read: positions behind it must not move. */
export const HOLE: unknown = Symbol('damaged')

export type Read = (from: number, to: number) => Promise<readonly Entry[]>

const CHUNK = 1000

export class Lines {
  private readonly read: Read
  private rows: Row[] | undefined
  private readonly inserts = new Map<number, readonly unknown[]>()
  /** Positions of records that could not be read. */
  readonly damaged = new Set<number>()
  /** Results were made up, so that real ones may have come late. */
  madeUp = false

  constructor(read: Read, empty: boolean) {
    this.read = read
    if (empty) this.rows = []
  }

  push(row: Row): void {
    this.rows?.push(row)
  }

  cut(keep: number): void {
    if (this.rows) this.rows.length = keep
  }

  forget(): void {
    this.rows = undefined
  }

  /** What was said on the line, holes included. */
  async raw(line: Line): Promise<readonly Row[]> {
    if (!this.rows) {
      const rows: Row[] = []
      for (const span of line.spans) await this.readSpan(span, rows)
      this.rows = rows
    }
    return this.rows
  }

  /** The last messages of the line, without reading the rest. */
  async last(line: Line, count: number): Promise<readonly Row[]> {
    if (this.rows) return this.rows.slice(this.rows.length - count)
    const found: Row[] = []
    for (let i = line.spans.length - 1; i >= 0 && found.length < count; i--) {
      const [from, to] = line.spans[i]!
      for (let end = to; end >= from && found.length < count; end -= 64) {
        const rows: Row[] = []
        await this.readSpan([Math.max(from, end - 63), end], rows)
        found.unshift(...rows)
      }
    }
    return found.slice(Math.max(0, found.length - count))
  }

  /** The line with what patches put in place of its beginning. */
  async base(line: Line): Promise<readonly Row[]> {
    const raw = await this.raw(line)
    const top = line.overlays.at(-1)
    if (!top) return raw
    const rows: Row[] = []
    for (const item of top.items) for (const row of await this.itemRows(item, raw)) rows.push(row)
    for (let i = top.frozen; i < raw.length; i++) rows.push(raw[i]!)
    return rows
  }

  private async itemRows([from, to, patch]: Item, raw: readonly Row[]): Promise<readonly Row[]> {
    if (patch === undefined) return raw.slice(from, to)
    const inserted = await this.insertsOf(patch)
    return inserted.slice(from, to).map((message) => ({ seq: 0, message }))
  }

  private async insertsOf(patch: number): Promise<readonly unknown[]> {
    let found = this.inserts.get(patch)
    if (!found) {
      const [entry] = await this.read(patch, patch)
      const insert = entry && decode(entry.body)?.['insert']
      found = Array.isArray(insert) ? insert : []
      if (!Array.isArray(insert)) this.damaged.add(patch)
      this.inserts.set(patch, found)
    }
    return found
  }

  private async readSpan([from, to]: Span, rows: Row[]): Promise<void> {
    for (let at = from; at <= to; at += CHUNK) {
      for (const entry of await this.read(at, Math.min(to, at + CHUNK - 1))) {
        if (entry.kind === 'message') rows.push(this.rowOf(entry))
      }
    }
  }

  /** The message of a record and what is known of it; a hole where it cannot be read. */
  rowOf({ seq, body: text }: Entry, body = decode(text)): Row {
    if (!body || !Object.hasOwn(body, 'message')) {
      this.damaged.add(seq)
      return { seq, message: HOLE }
    }
    const { message, synthetic, insteadOf } = body
    if (synthetic !== undefined) this.madeUp = true
    const raw = rawTextIn(text, body['asSent'])
    const spelled = raw === undefined ? {} : { text: raw }
    if (typeof insteadOf === 'number') return { seq, message, insteadOf, ...spelled }
    if (raw !== undefined && synthetic === undefined) return { seq, message, text: raw }
    return synthetic === undefined ? { seq, message } : { seq, message, synthetic: true }
  }
}

/** The part of these spans that holds the first so many rows. */
export function spansOf(spans: readonly Span[], rows: readonly Row[], keep: number): readonly Span[] {
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
