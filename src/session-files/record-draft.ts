/**
 * The records of a file as a repair leaves them. Changes are composed as they are made: each record knows which record
 * of the file it was, and why it changed.
 */
import { checkFile } from './arguments.ts'
import { parsed } from './lines.ts'
import { sameBytes } from './salvage/bytes.ts'
import { groupBy } from './shared/group-by.ts'
import type { FileRecord, RecordChange, RecordEdit, RecordType, SessionFile } from './types.ts'

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

export class RecordDraft {
  private readonly original: SessionFile
  private readonly entries: readonly Entry[]
  private readonly removed: ReadonlyMap<number, readonly string[]>
  /** The file with these records, as reading it again would give it. */
  readonly file: SessionFile

  private constructor(
    original: SessionFile,
    file: SessionFile,
    entries: readonly Entry[],
    removed: ReadonlyMap<number, readonly string[]>,
  ) {
    this.original = original
    this.file = file
    this.entries = entries
    this.removed = removed
  }

  static of(file: SessionFile): RecordDraft {
    const entries = file.records.map((record): Entry => ({ record, from: record.index, why: [] }))
    return new RecordDraft(file, file, entries, new Map())
  }

  /** Places in the changes are those of `this.file`. */
  with(changes: readonly RecordChange[], reading: Reading): RecordDraft {
    const { replaced, inserted } = byRecord(changes)
    const entries: Entry[] = []
    const removed = new Map(this.removed)
    const add = (list: readonly RecordChange[] | undefined, like: FileRecord | undefined) => {
      for (const change of list ?? []) if (change.op === 'insert') entries.push(newEntry(change, like))
    }
    add(inserted.get(-1), undefined)
    for (const entry of this.entries) {
      const change = replaced.get(entry.record.index)
      const why = change ? [...entry.why, change.why] : entry.why
      if (change?.op === 'replace') entries.push({ ...entry, ...changed(entry.record, change.bytes), why })
      else if (!change) entries.push(entry)
      else if (entry.from >= 0) removed.set(entry.from, why)
      add(inserted.get(entry.record.index), entry.record)
    }
    const records = entries.map(({ record, bytes }, index) => ({
      ...record,
      index,
      ...(bytes && reading.typeOf(record.value)),
    }))
    const own = entries.map((entry, i) => ({ ...entry, record: records[i]! }))
    const file = { ...this.file, records }
    return new RecordDraft(this.original, { ...file, conversations: reading.conversations(file) }, own, removed)
  }

  /** What changes in the file, each change with its reasons. */
  changes(): readonly RecordChange[] {
    const changes: RecordChange[] = []
    let after = -1
    for (const { from, bytes, why } of this.entries) {
      if (from >= 0) after = from
      if (!bytes) continue
      const reason = [...new Set(why)].join('; ')
      if (from < 0) changes.push({ op: 'insert', after, bytes, why: reason })
      else if (!sameBytes(bytes, recordBytes(this.original, this.original.records[from]!)))
        changes.push({ op: 'replace', record: from, bytes, why: reason })
    }
    for (const [record, why] of this.removed) changes.push({ op: 'remove', record, why: [...new Set(why)].join('; ') })
    return changes.sort((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf(change: RecordChange): number {
  return change.op === 'insert' ? change.after + 0.5 : change.record
}

/** How a format reads records that it is given. */
export interface Reading {
  typeOf(value: unknown): RecordType
  conversations(file: SessionFile): SessionFile['conversations']
}

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
