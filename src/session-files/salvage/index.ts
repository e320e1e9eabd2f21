/**
 * Salvage of a whole JSONL file in memory: its records with their byte spans, and everything that is no record.
 */
import { rememberNumbers } from '../../core/index.ts'
import { checkValue } from '../../core/options.ts'
import { checkBytes } from '../arguments.ts'
import type { FileRecord, Quarantined, Salvage, SalvageNote } from '../types.ts'
import { textOf } from './bytes.ts'
import { type SalvagedRecord, type SalvageItem, type SalvageOptions, SalvageStream } from './stream.ts'
import { fromUtf16, type Utf16Text } from './utf16.ts'

export type { Envelope } from './envelope.ts'
export { type SalvagedRecord, type SalvageItem, type SalvageOptions, SalvageStream } from './stream.ts'

/** The format's own word for a record, and whether the format knows it. */
export type Classify = (value: unknown) => { readonly type: string; readonly known: boolean }

export interface SalvagedFile {
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
}

export function salvage(bytes: Uint8Array, classify: Classify, options: SalvageOptions = {}): SalvagedFile {
  checkBytes(bytes)
  checkValue('What classifies records', classify, 'function')
  const utf16 = fromUtf16(bytes)
  const stream = new SalvageStream(options)
  const items = [...stream.push(utf16?.bytes ?? bytes), ...stream.end()]
  const found = sorted(items)
  const mapped = utf16 ? inFile(found, utf16, bytes) : found
  return {
    records: mapped.records.map((record, index) => recordOf(record, index, classify)),
    salvage: { quarantined: mapped.quarantined, notes: mapped.notes },
  }
}

interface Found {
  readonly records: readonly SalvagedRecord[]
  readonly quarantined: readonly Quarantined[]
  readonly notes: readonly SalvageNote[]
}

function sorted(items: readonly SalvageItem[]): Found {
  const records: SalvagedRecord[] = []
  const quarantined: Quarantined[] = []
  const notes: SalvageNote[] = []
  for (const item of items) {
    if (item.kind === 'record') records.push(item)
    else if (item.kind === 'note') notes.push(item.note)
    else quarantined.push({ line: item.line, offset: item.offset, bytes: item.bytes, reason: item.reason })
  }
  return { records, quarantined, notes }
}

function recordOf(record: SalvagedRecord, index: number, classify: Classify): FileRecord {
  const { line, start, end, value, rewritten } = record
  // Numbers that JSON.parse would spell otherwise are written again as they were.
  rememberNumbers(textOf(rewritten ?? record.bytes), value)
  return { index, line, start, end, value, ...classify(value), ...(rewritten && { rewritten }) }
}

/** Spans of a UTF-16 file, in its own bytes; each record is written as UTF-8. */
function inFile(found: Found, text: Utf16Text, file: Uint8Array): Found {
  const starts = text.offsetsOf(found.records.map(({ start }) => start))
  const ends = text.offsetsOf(found.records.map(({ end }) => end))
  const lost = text.offsetsOf(found.quarantined.map(({ offset }) => offset))
  const lostEnds = text.offsetsOf(found.quarantined.map(({ offset, bytes }) => offset + bytes.length))
  const records = found.records.map((record, i) => ({
    ...record,
    start: starts[i]!,
    end: ends[i]!,
    rewritten: record.rewritten ?? record.bytes,
  }))
  const quarantined = found.quarantined.map((one, i) => ({
    ...one,
    offset: lost[i]!,
    bytes: file.slice(lost[i]!, lostEnds[i]!),
  }))
  if (text.markBytes > 0)
    quarantined.unshift({ line: 1, offset: 0, bytes: file.slice(0, text.markBytes), reason: 'byte-order-mark' })
  const odd = (file.length - text.markBytes) % 2
  if (odd)
    quarantined.push({
      line: found.records.at(-1)?.line ?? 1,
      offset: file.length - 1,
      bytes: file.slice(-1),
      reason: 'torn-record',
    })
  return { records, quarantined, notes: [{ line: 1, kind: 'utf-16' }, ...found.notes] }
}
