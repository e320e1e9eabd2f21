/**
 * Changes of records as a new file, and as byte edits that can be taken back.
 */
import { checkOptions, type OptionTable } from '../core/options.ts'
import { checkBytes, checkEdits, checkFile, checkObjects } from './arguments.ts'
import { isDocument } from './elements.ts'
import { applyToLines } from './line-layout.ts'
import { formatOf } from './open.ts'
import { joined, sameBytes } from './salvage/bytes.ts'
import type { RecordEdit, SessionFile } from './types.ts'

export interface ApplyOptions {
  /** Take out what is in quarantine, and write records that are no valid JSON line as one. Default: true. */
  readonly salvage?: boolean | undefined
}

/** Bytes at an offset of the old file that are replaced. Edits are in ascending order and do not overlap. */
export interface ByteEdit {
  readonly offset: number
  readonly remove: Uint8Array
  readonly insert: Uint8Array
}

const optionTable: OptionTable<ApplyOptions> = { salvage: 'boolean' }

/** The new file. The same array as the input if nothing changes. */
export function applyChanges(
  file: SessionFile,
  changes: readonly RecordEdit[],
  options: ApplyOptions = {},
): Uint8Array {
  checkFile(file)
  checkObjects('The changes', changes)
  checkOptions<ApplyOptions>('applyChanges', options, optionTable)
  return applied(file, changes, options.salvage)
}

/** A JSON document is written whole: damage in it that stays would make it unreadable. */
export function applied(file: SessionFile, changes: readonly RecordEdit[], salvage = true): Uint8Array {
  if (changes.length === 0 && !salvage) return file.input.bytes
  const format = formatOf(file)
  if (format.apply) return format.apply(file, changes)
  // A document or a database of a format that is only read.
  const isLines = format.storage === 'jsonl' && !(format.writes === 'no' && isDocument(file.input.bytes))
  return isLines ? applyToLines(file, changes, salvage) : file.input.bytes
}

/** The edits that turn the new file, also one that has grown since, into the old one. */
export function invertChanges(
  file: SessionFile,
  changes: readonly RecordEdit[],
  options: ApplyOptions = {},
): readonly ByteEdit[] {
  return invertByteEdits(byteEditsOf(file, changes, options))
}

/** What differs between the two files, as one edit. */
export function byteEditsOf(
  file: SessionFile,
  changes: readonly RecordEdit[],
  options: ApplyOptions = {},
): readonly ByteEdit[] {
  const after = applyChanges(file, changes, options)
  const before = file.input.bytes
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const remove = before.slice(start, before.length - end)
  const insert = after.slice(start, after.length - end)
  return remove.length + insert.length === 0 ? [] : [{ offset: start, remove, insert }]
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
