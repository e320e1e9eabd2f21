/**
 * The records of a file as a repair leaves them. Changes are composed as they are made: each record knows which record
 * of the file it was, and why it changed.
 */
import { checkFile } from './arguments.ts'
import { parsed } from './lines.ts'
import { sameBytes } from './salvage/bytes.ts'
import { groupBy } from './shared/group-by.ts'
import type { FileRecord, RecordChange, RecordEdit, SessionFile, SessionFormat } from './types.ts'

/** The bytes of a record, as they are written. */
export function recordBytes(file: SessionFile, record: FileRecord): Uint8Array {
  checkFile(file)
  return record.rewritten ?? file.input.bytes.subarray(record.start, record.end)
}

interface Entry {
  readonly record: FileRecord
  /** Index in the file; -1: the record is new. */
  readonly from: number
  readonly why: readonly string[]
  readonly bytes?: Uint8Array | undefined
}

export interface RecordDraft {
  readonly original: SessionFile
  /** The file with these records, as reading it again would give it. */
  readonly file: SessionFile
  readonly entries: readonly Entry[]
  readonly removed: ReadonlyMap<number, readonly string[]>
}

export function draftOf(file: SessionFile): RecordDraft {
  const entries = file.records.map((record): Entry => ({ record, from: record.index, why: [] }))
  return { original: file, file, entries, removed: new Map() }
}

/** Places in the changes are those of `draft.file`. */
export function withChanges(draft: RecordDraft, changes: readonly RecordChange[], reading: Reading): RecordDraft {
  const { replaced, inserted } = byRecord(changes)
  const entries: Entry[] = []
  const removed = new Map(draft.removed)
  const add = (after: number, like: FileRecord | undefined) => {
    for (const change of inserted.get(after) ?? []) entries.push(newEntry(change, like))
  }
  add(-1, undefined)
  for (const entry of draft.entries) {
    const change = replaced.get(entry.record.index)
    const why = change ? [...entry.why, change.why] : entry.why
    if (change?.op === 'replace') entries.push({ ...entry, ...changed(entry.record, change.bytes), why })
    else if (!change) entries.push(entry)
    else if (entry.from >= 0) removed.set(entry.from, why)
    add(entry.record.index, entry.record)
  }
  const records = entries.map(({ record, bytes }, index) => ({
    ...record,
    index,
    ...(bytes && reading.typeOf(record.value)),
  }))
  const own = entries.map((entry, i) => ({ ...entry, record: records[i]! }))
  const file = { ...draft.file, records }
  return { ...draft, file: { ...file, conversations: reading.conversations(file) }, entries: own, removed }
}

/** What changes in the file, each change with its reasons. */
export function changesOf({ original, entries, removed }: RecordDraft): readonly RecordChange[] {
  const changes = [...removed].map(([record, why]): RecordChange => ({ op: 'remove', record, why: reasonOf(why) }))
  let after = -1
  for (const { from, bytes, why } of entries) {
    if (from >= 0) after = from
    if (!bytes) continue
    if (from < 0) changes.push({ op: 'insert', after, bytes, why: reasonOf(why) })
    else if (!sameBytes(bytes, recordBytes(original, original.records[from]!)))
      changes.push({ op: 'replace', record: from, bytes, why: reasonOf(why) })
  }
  return changes.sort((a, b) => placeOf(a) - placeOf(b))
}

function reasonOf(why: readonly string[]): string {
  return [...new Set(why)].join('; ')
}

function placeOf(change: RecordChange): number {
  return change.op === 'insert' ? change.after + 0.5 : change.record
}

/** How a format reads records that it is given. */
export type Reading = Required<Pick<SessionFormat, 'typeOf' | 'conversations'>>

function changed(record: FileRecord, bytes: Uint8Array): Pick<Entry, 'record' | 'bytes'> {
  return { record: { ...record, value: parsed(bytes), rewritten: bytes }, bytes }
}

function newEntry({ bytes, why }: Extract<RecordChange, { op: 'insert' }>, like: FileRecord | undefined): Entry {
  const place = { index: -1, line: like?.line ?? 1, start: like?.end ?? 0, end: like?.end ?? 0, type: '', known: true }
  return { ...changed({ ...place, value: undefined }, bytes), from: -1, why: [why] }
}

/** Changes by the record that changes, and new records by the one that they follow. */
export function byRecord<T extends RecordEdit>(changes: readonly T[]) {
  const isInsert = (change: T): change is T & { op: 'insert' } => change.op === 'insert'
  const own = changes.filter((change): change is T & { record: number } => change.op !== 'insert')
  return {
    replaced: new Map(own.map((change) => [change.record, change])),
    inserted: groupBy(changes.filter(isInsert), ({ after }) => after),
  }
}
