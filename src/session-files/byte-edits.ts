/**
 * Changes of records in a JSONL file as edits of its bytes: everything that no change touches keeps its bytes.
 */
import { checkBytes, checkEdits } from './arguments.ts'
import { bytesOf, findByte, joined, sameBytes } from './salvage/bytes.ts'
import type { FileRecord, RecordChange, SessionFile } from './types.ts'

/** Bytes at an offset of the old file that are replaced. Edits are in ascending order and do not overlap. */
export interface ByteEdit {
  readonly offset: number
  readonly remove: Uint8Array
  readonly insert: Uint8Array
}

export function invertByteEdits(edits: readonly ByteEdit[]): readonly ByteEdit[] {
  checkEdits(edits)
  let shift = 0
  return edits.map(({ offset, remove, insert }) => {
    const inverse = { offset: offset + shift, remove: insert, insert: remove }
    shift += insert.length - remove.length
    return inverse
  })
}

/** The same array if there is no edit. Bytes that differ from what an edit removes are an error. */
export function applyByteEdits(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  checkBytes(bytes)
  checkEdits(edits)
  if (edits.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const { offset, remove, insert } of edits) {
    if (!sameBytes(bytes.subarray(offset, offset + remove.length), remove))
      throw new Error(`The file differs at byte ${offset} from the one the edit was made for. Read it again.`)
    parts.push(bytes.subarray(at, offset), insert)
    at = offset + remove.length
  }
  parts.push(bytes.subarray(at))
  return joined(parts)
}

/** The file after these changes, one record a line; quarantined bytes are left out unless `salvage` is false. */
export function applyToLines(file: SessionFile, changes: readonly RecordChange[], salvage = true): Uint8Array {
  const { quarantined, notes } = file.salvage
  if (changes.length + quarantined.length + notes.length === 0) return file.input.bytes
  return applyByteEdits(file.input.bytes, lineEdits(file, changes, salvage))
}

export function lineEdits(file: SessionFile, changes: readonly RecordChange[], salvage: boolean): readonly ByteEdit[] {
  const utf16 = file.salvage.notes.some(({ kind }) => kind === 'utf-16')
  if (utf16) return [{ offset: 0, remove: file.input.bytes, insert: inUtf8(file, changes) }]
  return new Writer(file, changes, salvage).run()
}

interface Planned {
  readonly replaced: Map<number, Uint8Array>
  readonly removed: Set<number>
  readonly inserted: Map<number, Uint8Array[]>
}

function planned(changes: readonly RecordChange[]): Planned {
  const plan: Planned = { replaced: new Map(), removed: new Set(), inserted: new Map() }
  for (const change of changes) {
    if (change.op === 'replace') plan.replaced.set(change.record, change.bytes)
    else if (change.op === 'remove') plan.removed.add(change.record)
    else {
      const list = plan.inserted.get(change.after)
      if (list) list.push(change.bytes)
      else plan.inserted.set(change.after, [change.bytes])
    }
  }
  return plan
}

/** A UTF-16 file is written anew as UTF-8, one record a line. */
function inUtf8({ records }: SessionFile, changes: readonly RecordChange[]): Uint8Array {
  const { replaced, removed, inserted } = planned(changes)
  const lines = [...(inserted.get(-1) ?? [])]
  for (const { index, rewritten } of records) {
    const own = replaced.get(index) ?? rewritten
    if (own && !removed.has(index)) lines.push(own)
    for (const line of inserted.get(index) ?? []) lines.push(line)
  }
  const newline = bytesOf('\n')
  return joined(lines.flatMap((line) => [line, newline]))
}

interface Span {
  readonly start: number
  readonly end: number
  readonly record?: FileRecord
}

/** Goes through the file once and notes where it changes. */
class Writer {
  private readonly edits: ByteEdit[] = []
  private readonly bytes: Uint8Array
  private readonly plan: Planned
  private readonly newline: Uint8Array
  private readonly spans: readonly Span[]
  private readonly salvage: boolean
  /** Whether the new file is at the start of a line. */
  private fresh = true
  /** The old line before this place went away: its line break goes, too. */
  private dropBreak = false

  constructor({ input, records, salvage }: SessionFile, changes: readonly RecordChange[], undo: boolean) {
    this.bytes = input.bytes
    this.salvage = undo
    this.plan = planned(changes)
    this.newline = bytesOf(hasCrlf(input.bytes) ? '\r\n' : '\n')
    const lost = salvage.quarantined.map(({ offset, bytes }) => ({ start: offset, end: offset + bytes.length }))
    const own = records.map((record) => ({ start: record.start, end: record.end, record }))
    this.spans = [...own, ...lost].sort((a, b) => a.start - b.start)
  }

  run(): readonly ByteEdit[] {
    this.add(0, this.plan.inserted.get(-1) ?? [], true)
    let at = 0
    for (const span of this.spans) {
      this.gap(at, span.start)
      this.span(span)
      at = span.end
    }
    this.gap(at, this.bytes.length)
    return merged(this.edits, this.bytes)
  }

  private gap(start: number, end: number): void {
    let from = start
    if (this.dropBreak && this.fresh) {
      const newline = findByte(this.bytes, 0x0a, start, end)
      const to = newline < end ? newline + 1 : end
      if (to > start) this.edit(start, to, NOTHING)
      from = to
    }
    if (end > from) this.dropBreak = false
    if (findByte(this.bytes, 0x0a, from, end) < end) this.fresh = true
  }

  private span({ start, end, record }: Span): void {
    if (!record) {
      if (!this.salvage) this.fresh = false
      else this.drop(start, end)
      return
    }
    const { index } = record
    const replaced = this.plan.replaced.get(index) ?? (this.salvage ? record.rewritten : undefined)
    if (this.plan.removed.has(index)) this.drop(start, end)
    else {
      if (!this.fresh && this.salvage) this.edit(start, start, this.newline)
      if (replaced) this.edit(start, end, replaced)
      this.fresh = false
      this.dropBreak = false
    }
    this.add(end, this.plan.inserted.get(index) ?? [], false)
  }

  private drop(start: number, end: number): void {
    this.edit(start, end, NOTHING)
    this.dropBreak = true
  }

  private add(at: number, lines: readonly Uint8Array[], before: boolean): void {
    for (const line of lines) {
      if (before || this.fresh) this.edit(at, at, joined([line, this.newline]))
      else this.edit(at, at, joined([this.newline, line]))
    }
  }

  private edit(start: number, end: number, insert: Uint8Array): void {
    this.edits.push({ offset: start, remove: this.bytes.subarray(start, end), insert })
  }
}

const NOTHING = new Uint8Array(0)

function hasCrlf(bytes: Uint8Array): boolean {
  const newline = bytes.indexOf(0x0a)
  return newline > 0 && bytes[newline - 1] === 0x0d
}

/** Edits that touch become one, and copies are made: the file may be changed after this. */
function merged(edits: readonly ByteEdit[], bytes: Uint8Array): readonly ByteEdit[] {
  const result: { offset: number; end: number; inserts: Uint8Array[] }[] = []
  for (const { offset, remove, insert } of edits) {
    const last = result.at(-1)
    if (last && last.end === offset) {
      last.end += remove.length
      last.inserts.push(insert)
    } else result.push({ offset, end: offset + remove.length, inserts: [insert] })
  }
  return result
    .map(({ offset, end, inserts }) => ({ offset, remove: bytes.slice(offset, end), insert: joined(inserts) }))
    .filter(({ remove, insert }) => !sameBytes(remove, insert))
}
