/**
 * A repaired list as edits of records, each element of the list being one record: only elements that changed are
 * rewritten.
 */
import { align, isObject, tryJsonText } from '../core/index.ts'
import type { RecordEdit } from './types.ts'

export interface ListToRecords {
  /** For each element of the old list its record. */
  readonly records: readonly number[]
  /** The bytes of a new element; `was` is the record that it replaces. */
  write(value: unknown, was: number | undefined): Uint8Array
  /** The bytes of a record as it is, for one that moves. */
  bytesOf(record: number): Uint8Array
}

export function listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  { records, write, bytesOf }: ListToRecords,
): readonly RecordEdit[] {
  const isMadeFrom = [(was: number, now: number) => roleOf(before[was]) === roleOf(after[now]), () => true]
  const changes: RecordEdit[] = []
  const gone = new Set(records.keys())
  let place = records.length > 0 ? records[0]! - 1 : -1
  // A value too deep to be written is found by reference only.
  const keyOf = (value: unknown) => tryJsonText(value) ?? value
  align(before, after, { keyOf, isMadeFrom }).forEach(({ from, same, moved }, i) => {
    const record = from < 0 ? undefined : records[from]!
    if (record !== undefined && !moved) {
      gone.delete(from)
      place = record
      if (!same) changes.push({ op: 'replace', record, bytes: write(after[i], record) })
    } else
      changes.push({
        op: 'insert',
        after: place,
        bytes: same && record !== undefined ? bytesOf(record) : write(after[i], record),
      })
  })
  for (const from of gone) changes.push({ op: 'remove', record: records[from]! })
  return changes
}

function roleOf(value: unknown): unknown {
  return isObject(value) ? (value['role'] ?? value['type']) : undefined
}
