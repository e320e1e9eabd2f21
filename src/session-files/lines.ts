/**
 * JSONL: one record a line. Reads through one function, `readLines`, and writes through one, `applyToLines`.
 */
import { isObject, parseJson } from '../core/index.ts'
import type { FileInput, FileRecord, Quarantined, RecordChange, Salvage } from './types.ts'

export interface RecordType {
  readonly type: string
  readonly known: boolean
}

export interface Lines {
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
}

const decoder = new TextDecoder()
const NEWLINE = 0x0a

/** Records of a file, one a line. `anyJson`: a record may be a list, too. */
export function readLines(
  input: FileInput,
  typeOf: (value: unknown) => RecordType,
  { anyJson = false }: { readonly anyJson?: boolean } = {},
): Lines {
  const { bytes } = input
  const records: FileRecord[] = []
  const quarantined: Quarantined[] = []
  let at = 0
  if (hasMark(bytes)) {
    quarantined.push({ line: 1, offset: 0, bytes: bytes.subarray(0, 3), reason: 'byte-order-mark' })
    at = 3
  }
  for (let line = 1; at < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, at)
    const next = newline < 0 ? bytes.length : newline + 1
    const { start, end } = trim(bytes, at, newline < 0 ? bytes.length : newline)
    at = next
    if (start === end) continue
    const value = parsed(bytes.subarray(start, end))
    if (isObject(value) || (anyJson && Array.isArray(value)))
      records.push({ index: records.length, line, start, end, value, ...typeOf(value) })
    else {
      const reason = value !== undefined ? 'not-a-record' : newline < 0 ? 'torn-record' : 'not-json'
      quarantined.push({ line, offset: start, bytes: bytes.subarray(start, end), reason })
    }
  }
  return { records, salvage: { quarantined, notes: [] } }
}

export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function trim(bytes: Uint8Array, from: number, to: number): { start: number; end: number } {
  let start = from
  let end = to
  while (start < end && isBlank(bytes[start]!)) start++
  while (end > start && isBlank(bytes[end - 1]!)) end--
  return { start, end }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

/** The value of JSON bytes, numbers as they are spelled; undefined if they are not JSON. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

/** The file after these changes. Untouched lines keep their bytes; quarantined ones are left out. */
export function applyToLines(
  bytes: Uint8Array,
  records: readonly FileRecord[],
  changes: readonly RecordChange[],
  quarantined: readonly Quarantined[] = [],
): Uint8Array {
  if (changes.length === 0 && quarantined.length === 0) return bytes
  const breaks = bytes.includes(0x0d) && lineBreakIsCrLf(bytes) ? [0x0d, NEWLINE] : [NEWLINE]
  const { replaced, inserted } = byRecord(changes)
  const chunks: Uint8Array[] = []
  const put = (line: Uint8Array) => chunks.push(line, Uint8Array.from(breaks))
  for (const line of inserted.get(-1) ?? []) put(line)
  for (const record of records) {
    const now = replaced.get(record.index)
    if (now === undefined) put(bytes.subarray(record.start, record.end))
    else if (now !== 'removed') put(now)
    for (const line of inserted.get(record.index) ?? []) put(line)
  }
  if (bytes.at(-1) !== NEWLINE && quarantined.length === 0 && !inserted.has(records.length - 1)) chunks.pop()
  return concat(chunks)
}

function lineBreakIsCrLf(bytes: Uint8Array): boolean {
  const newline = bytes.indexOf(NEWLINE)
  return newline > 0 && bytes[newline - 1] === 0x0d
}

export interface ChangesByRecord {
  readonly replaced: ReadonlyMap<number, Uint8Array | 'removed'>
  readonly inserted: ReadonlyMap<number, readonly Uint8Array[]>
}

export function byRecord(changes: readonly RecordChange[]): ChangesByRecord {
  const replaced = new Map<number, Uint8Array | 'removed'>()
  const inserted = new Map<number, Uint8Array[]>()
  for (const change of changes) {
    if (change.op === 'replace') replaced.set(change.record, change.bytes)
    else if (change.op === 'remove') replaced.set(change.record, 'removed')
    else inserted.set(change.after, [...(inserted.get(change.after) ?? []), change.bytes])
  }
  return { replaced, inserted }
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
