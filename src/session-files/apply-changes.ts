/**
 * Changes of records as a new file: records without a change keep their bytes, and an inverse restores the file exactly.
 */
import { checkOptions, type OptionTable } from '../core/options.ts'
import { checkFile, checkObjects } from './arguments.ts'
import { applyByteEdits, applyToLines, type ByteEdit, invertByteEdits, lineEdits } from './byte-edits.ts'
import { isDocument } from './elements.ts'
import { formats } from './formats.ts'
import type { RecordChange, SessionFile } from './types.ts'

export { applyByteEdits, type ByteEdit, invertByteEdits }

export interface ApplyOptions {
  /** Take out what is in quarantine, and write records that are no valid JSON line as one. Default: true. */
  readonly salvage?: boolean | undefined
}

const optionTable: OptionTable<ApplyOptions> = { salvage: 'boolean' }

function checkChanges(of: string, file: unknown, changes: unknown, options: unknown): void {
  checkFile(file)
  checkObjects('The changes', changes)
  checkOptions<ApplyOptions>(of, options, optionTable)
}

/** The new file. The same array as the input if nothing changes. */
export function applyChanges(
  file: SessionFile,
  changes: readonly RecordChange[],
  options: ApplyOptions = {},
): Uint8Array {
  checkChanges('applyChanges', file, changes, options)
  return applied(file, changes, options)
}

/** A JSON document is written whole: damage in it that stays would make it unreadable. */
function applied(file: SessionFile, changes: readonly RecordChange[], { salvage = true }: ApplyOptions): Uint8Array {
  if (changes.length === 0 && !salvage) return file.input.bytes
  const format = formats.find(({ id }) => id === file.format)
  if (format?.apply) return format.apply(file, changes)
  // A document or a database of a format that is only read.
  const isLines = format?.storage === 'jsonl' && !(format.writes === 'no' && isDocument(file.input.bytes))
  return isLines ? applyToLines(file, changes, salvage) : file.input.bytes
}

/** The edits that turn the new file, also one that has grown since, into the old one. */
export function invertChanges(
  file: SessionFile,
  changes: readonly RecordChange[],
  options: ApplyOptions = {},
): readonly ByteEdit[] {
  return invertByteEdits(byteEditsOf(file, changes, options))
}

export function byteEditsOf(
  file: SessionFile,
  changes: readonly RecordChange[],
  options: ApplyOptions = {},
): readonly ByteEdit[] {
  checkChanges('byteEditsOf', file, changes, options)
  if (formats.some(({ id, apply }) => id === file.format && apply !== undefined))
    return oneEdit(file.input.bytes, applied(file, changes, options))
  return lineEdits(file, changes, options.salvage ?? true)
}

/** What differs between two files, as one edit. */
function oneEdit(before: Uint8Array, after: Uint8Array): readonly ByteEdit[] {
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
