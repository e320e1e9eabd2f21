/** Changes of records as a new file. */
import { checkOptions, type OptionTable } from '../core/options.ts'
import { checkFile, checkObjects } from './arguments.ts'
import { isDocument } from './elements.ts'
import { applyToLines } from './line-layout.ts'
import { formatOf } from './open.ts'
import type { RecordEdit, SessionFile } from './types.ts'

/** Options of `apply` for a session file. */
export interface ApplyOptions {
  /** Take out what is in quarantine, and write records that are no valid JSON line as one. Default: true. */
  readonly salvage?: boolean | undefined
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
