/**
 * Salvage of a whole JSONL file in memory: its records with their byte spans, and the bytes that belong to none of
 * them.
 */
import { checkValue } from '../../core/options.ts'
import { checkBytes } from '../arguments.ts'
import type { FileRecord, Quarantined, RecordType, Salvage, SalvageNote } from '../types.ts'
import type { SalvagedRecord } from './found-record.ts'
import { type SalvageItem, type SalvageOptions, SalvageStream } from './stream.ts'
import { fromUtf16, inUtf16File } from './utf16.ts'

export type { Envelope } from './envelope.ts'
export type { SalvagedRecord } from './found-record.ts'
export { type SalvageItem, type SalvageOptions, SalvageStream } from './stream.ts'

export type Classify = (value: unknown) => RecordType

/** The records of a damaged file, and what could not be read. */
export interface SalvagedFile {
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
}

/** Finds the records in a file of JSON lines, also where lines are broken. */
export function salvage(bytes: Uint8Array, classify: Classify, options: SalvageOptions = {}): SalvagedFile {
  checkBytes(bytes)
  checkValue('What classifies records', classify, 'function')
  const utf16 = fromUtf16(bytes)
  const stream = new SalvageStream(options)
  const found: Found = { records: [], quarantined: [], notes: [] }
  for (const items of [stream.push(utf16?.bytes ?? bytes), stream.end()]) for (const item of items) sort(item, found)
  const { records, quarantined, notes } = utf16 ? inUtf16File(found, utf16, bytes) : found
  return {
    records: records.map((record, index) => recordOf(record, index, classify)),
    salvage: { quarantined, notes },
  }
}

interface Found {
  readonly records: SalvagedRecord[]
  readonly quarantined: Quarantined[]
  readonly notes: SalvageNote[]
}

function sort(item: SalvageItem, { records, quarantined, notes }: Found): void {
  if (item.kind === 'record') records.push(item)
  else if (item.kind === 'note') notes.push(item.note)
  else quarantined.push({ line: item.line, offset: item.offset, bytes: item.bytes, reason: item.reason })
}

function recordOf(record: SalvagedRecord, index: number, classify: Classify): FileRecord {
  const { line, start, end, value, rewritten } = record
  const { type, known } = classify(value)
  // One shape for nearly all records: there are many of them.
  if (!rewritten) return { index, line, start, end, value, type, known }
  return { index, line, start, end, value, type, known, rewritten }
}
