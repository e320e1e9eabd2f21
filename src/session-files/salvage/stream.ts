/**
 * Salvage of JSON Lines, format-blind and incremental: feed chunks, get records, what was taken out, and notes. Nothing
 * is invented: every byte that is not white space is in exactly one record or in quarantine. Time is linear in the
 * input.
 */
import { checkOptions, type OptionTable } from '../../core/options.ts'
import type { Quarantined, QuarantineReason, SalvageNote } from '../types.ts'
import { afterMark, joined, parsed, trimmed } from './bytes.ts'
import { type LineContext, type Piece, readDamagedLine } from './damaged-line.ts'
import { type Envelope, isRecordObject, LearnedEnvelope } from './envelope.ts'
import { SalvagedRecord } from './found-record.ts'
import { asOneLine, scanObject } from './json-scan.ts'

/** A record, or bytes that are not one. */
export type SalvageItem =
  | SalvagedRecord
  | ({ readonly kind: 'quarantined' } & Quarantined)
  | { readonly kind: 'note'; readonly note: SalvageNote }

/** Options of a salvage. */
export interface SalvageOptions {
  /**
   * Is this object a whole record? Asked for objects in damaged lines. Default: it has the keys that all records before
   * it have.
   */
  readonly envelope?: Envelope | undefined
  /** A longer line goes to quarantine. Default: 256 MiB. */
  readonly maxRecordBytes?: number | undefined
  /** A line that is a JSON list is a record, too. Default: false. */
  readonly lists?: boolean | undefined
}

const optionTable: OptionTable<SalvageOptions> = { envelope: 'function', maxRecordBytes: 'positive', lists: 'boolean' }

const NEWLINE = 0x0a
const DEFAULT_MAX = 256 * 1024 * 1024
/** The longest record over several lines. */
const MAX_JOIN = 16 * 1024 * 1024

/** Salvages a file in pieces, with bounded memory. */
export class SalvageStream {
  private buffer: Uint8Array = new Uint8Array(0)
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  private needed = 3
  private offset = 0
  private line = 1
  private started = false
  private skipping = false
  /** Bytes that may still be scanned twice: keeps the whole linear. */
  private budget = 1024 * 1024
  private out: SalvageItem[] = []
  private readonly learned = new LearnedEnvelope()
  private readonly options: SalvageOptions
  private readonly isRecord: Envelope

  constructor(options: SalvageOptions = {}) {
    checkOptions<SalvageOptions>('salvage', options, optionTable)
    this.options = options
    this.isRecord = options.envelope ?? ((value) => this.learned.fits(value))
  }

  /** Takes the next bytes and returns what is complete by now. */
  push(chunk: Uint8Array): readonly SalvageItem[] {
    this.budget += chunk.length * 8
    this.waiting.push(chunk)
    this.waitingBytes += chunk.length
    const size = this.buffer.length + this.waitingBytes
    if (size >= this.needed || (this.needed > 3 && size > this.maxBytes)) this.work(false)
    return this.taken()
  }

  /** The rest. After this the stream takes nothing more. */
  end(): readonly SalvageItem[] {
    this.work(true)
    return this.taken()
  }

  private taken(): readonly SalvageItem[] {
    const { out } = this
    this.out = []
    return out
  }

  private work(last: boolean): void {
    this.buffer =
      this.buffer.length === 0 && this.waiting.length === 1 ? this.waiting[0]! : joined([this.buffer, ...this.waiting])
    this.waiting = []
    this.waitingBytes = 0
    let at = this.started ? 0 : this.skipMark()
    while (at < this.buffer.length) {
      const next = this.takeLine(at, last)
      if (next < 0) break
      at = next
      if (this.buffer[at] === NEWLINE) {
        at++
        this.line++
      }
    }
    this.offset += at
    this.buffer = at === 0 ? this.buffer : this.buffer.subarray(at)
    // What is left is an unfinished line or record: look again when there is twice as much.
    this.needed = this.buffer.length * 2
  }

  private get maxBytes(): number {
    return this.options.maxRecordBytes ?? DEFAULT_MAX
  }

  private skipMark(): number {
    this.started = true
    const start = afterMark(this.buffer)
    if (start > 0) this.quarantine(0, start, 'byte-order-mark')
    return start
  }

  /**
   * Returns where it stopped: at a line break, inside the line after a record over several lines, or -1 to wait for
   * more bytes.
   */
  private takeLine(start: number, last: boolean): number {
    const newline = this.buffer.indexOf(NEWLINE, start)
    const end = newline < 0 ? this.buffer.length : newline
    if (this.skipping || end - start > this.maxBytes) {
      // Too long to be held: all of it goes to quarantine, as it comes.
      if (end > start) this.quarantine(start, end, 'not-json')
      this.skipping = newline < 0
      return end
    }
    if (newline < 0 && !last) return -1
    const [from, to] = trimmed(this.buffer, start, end)
    if (from === to) return end
    const value = parsed(this.buffer.subarray(from, to))
    if (value === undefined) return this.takeDamaged(from, to, end, last)
    if (isRecordObject(value) || (this.options.lists && Array.isArray(value))) {
      if (!this.options.envelope) this.learned.learn(value)
      this.emit(from, to, value)
    } else this.quarantine(from, to, 'not-a-record')
    return end
  }

  private takeDamaged(from: number, to: number, end: number, last: boolean): number {
    const context: LineContext = { bytes: this.buffer, isRecord: this.isRecord, spend: (bytes) => this.spend(bytes) }
    const { pieces, open } = readDamagedLine(context, from, to)
    const joinedEnd = open >= 0 && end < this.buffer.length ? this.endOverLines(open, last) : 0
    if (joinedEnd < 0) return -1
    const kept = joinedEnd > 0 ? pieces.filter((piece) => piece.end <= open) : pieces
    this.take(kept, last && end === this.buffer.length)
    if (joinedEnd === 0) return end
    const cut = pieces.find((piece) => piece.kind === 'lost' && piece.start < open && piece.end > open)
    if (cut)
      this.take(
        [{ kind: 'lost', start: cut.start, end: trimmed(this.buffer, cut.start, open)[1], reason: 'truncated-prefix' }],
        false,
      )
    this.takeOverLines(open, joinedEnd)
    return joinedEnd
  }

  private take(pieces: readonly Piece[], atEnd: boolean): void {
    const records = pieces.filter(({ kind }) => kind === 'record').length
    if (records > 0 && pieces.some(({ kind }, i) => i > 0 && (kind === 'record' || records > 1)))
      this.note('glued-records')
    for (const piece of pieces) {
      if (piece.kind === 'record') {
        if (piece.control) this.note('raw-control-character')
        this.emit(piece.start, piece.end, piece.value, piece.control)
      } else
        this.quarantine(
          piece.start,
          piece.end,
          atEnd && piece === pieces.at(-1) && piece.reason === 'not-json' ? 'torn-record' : piece.reason,
        )
    }
  }

  /** The end of a record over several lines. 0: it is not one; -1: wait for more bytes. */
  private endOverLines(start: number, last: boolean): number {
    if (this.budget <= 0) return 0
    const limit = Math.min(this.buffer.length, start + MAX_JOIN)
    const scan = scanObject(this.buffer, start, limit, (from) => this.isWholeLine(from))
    if (scan.state === 'open' && !last && limit === this.buffer.length) return -1
    if (scan.state !== 'whole') {
      this.spend(scan.at - start)
      return 0
    }
    const value = parsed(asOneLine(this.buffer.subarray(start, scan.at)))
    return value !== undefined && this.isRecord(value) ? scan.at : 0
  }

  private takeOverLines(start: number, end: number): void {
    const raw = this.buffer.subarray(start, end)
    this.note('record-over-several-lines')
    this.emit(start, end, parsed(asOneLine(raw)), true)
    for (let at = raw.indexOf(NEWLINE); at >= 0; at = raw.indexOf(NEWLINE, at + 1)) this.line++
  }

  /** A line that is a record of its own never belongs to the one before it. */
  private isWholeLine(from: number): boolean {
    const newline = this.buffer.indexOf(NEWLINE, from)
    const [a, b] = trimmed(this.buffer, from, newline < 0 ? this.buffer.length : newline)
    if (this.buffer[a] !== 0x7b || this.buffer[b - 1] !== 0x7d) return false
    const value = parsed(this.buffer.subarray(a, b))
    return value !== undefined && this.isRecord(value)
  }

  private spend(bytes: number): boolean {
    this.budget -= bytes
    return this.budget > 0
  }

  private emit(start: number, end: number, value: unknown, rewrite = false): void {
    const rewritten = rewrite ? asOneLine(this.buffer.subarray(start, end)) : undefined
    this.out.push(new SalvagedRecord(this.buffer, this.offset, start, end, this.line, value, rewritten))
  }

  private quarantine(start: number, end: number, reason: QuarantineReason): void {
    const bytes = this.buffer.slice(start, end)
    this.out.push({ kind: 'quarantined', line: this.line, offset: this.offset + start, bytes, reason })
  }

  private note(kind: SalvageNote['kind']): void {
    this.out.push({ kind: 'note', note: { line: this.line, kind } })
  }
}
