/** JSONL: one record a line. */
import { type Layout, layOut } from './layout.ts'
import { afterMark, bytesOf, isSpace } from './salvage/bytes.ts'
import type { RecordEdit, SessionFile } from './types.ts'

/**
 * The file after these changes, one record a line. Bytes that belong to no record are left out unless `salvage` is
 * false.
 */
export function applyToLines(file: SessionFile, changes: readonly RecordEdit[], salvage = true): Uint8Array {
  const { quarantined, notes } = file.salvage
  if (changes.length === 0 && (!salvage || quarantined.length + notes.length === 0)) return file.input.bytes
  return layOut(file, changes, layoutOf(file, salvage), !salvage)
}

const NOTHING = new Uint8Array(0)

function layoutOf({ input: { bytes }, records, salvage }: SessionFile, withoutDamage: boolean): Layout {
  const newline = bytes.indexOf(0x0a)
  const between = bytesOf(newline > 0 && bytes[newline - 1] === 0x0d ? '\r\n' : '\n')
  // A file in UTF-16 is rewritten in UTF-8.
  if (salvage.notes.some(({ kind }) => kind === 'utf-16'))
    return { head: NOTHING, first: NOTHING, between: bytesOf('\n'), tail: bytesOf('\n'), isGap: () => false }
  const start = withoutDamage ? afterMark(bytes) : 0
  let first = start
  while (first < bytes.length && isSpace(bytes[first]!)) first++
  let last = bytes.length
  while (last > first && isSpace(bytes[last - 1]!)) last--
  const endsInRecord = (records.at(-1)?.end ?? -1) >= last || !withoutDamage
  const tail = last < bytes.length || endsInRecord ? bytes.subarray(last) : between
  const isGap = (gap: Uint8Array) => gap.includes(0x0a) && gap.every(isSpace)
  return { head: NOTHING, first: bytes.subarray(start, first), between, tail, isGap }
}
