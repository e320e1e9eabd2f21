/**
 * The changes of records that lead from one file to another that was made from it in several steps.
 */
import { isObject, rememberNumbers } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { checkFile } from './arguments.ts'
import { sameBytes, textOf } from './salvage/bytes.ts'
import type { FileRecord, RecordChange, SessionFile } from './types.ts'

export function recordBytes(file: SessionFile, record: FileRecord): Uint8Array {
  checkFile(file)
  checkValue('A record of a session file', record, 'object')
  return record.rewritten ?? file.input.bytes.subarray(record.start, record.end)
}

/** Numbers that `JSON.parse` would spell otherwise are written again as they were. Only a file that is written needs this. */
export function rememberSpelling(file: SessionFile): void {
  for (const record of file.records) rememberNumbers(textOf(recordBytes(file, record)), record.value)
}

export function changesBetween(
  before: SessionFile,
  after: SessionFile,
  why: (bytes: Uint8Array) => string,
): readonly RecordChange[] {
  const kept = anchors(before, after)
  const changes: RecordChange[] = []
  let from = 0
  let last = -1
  const gap = (to: number, added: readonly FileRecord[]) => {
    const old = before.records.slice(from, to)
    for (const change of gapChanges(old, added, last, after, why)) changes.push(change)
  }
  let added: FileRecord[] = []
  for (const record of after.records) {
    const index = kept.get(record.index)
    if (index === undefined) added.push(record)
    else {
      gap(index, added)
      added = []
      from = index + 1
      last = index
    }
  }
  gap(before.records.length, added)
  return changes
}

/** Records of `after` that have the same bytes as one of `before`, in order. */
function anchors(before: SessionFile, after: SessionFile): Map<number, number> {
  const places = new Map<string, { readonly list: number[]; next: number }>()
  for (const record of before.records) {
    const key = keyOf(before, record)
    const place = places.get(key)
    if (place) place.list.push(record.index)
    else places.set(key, { list: [record.index], next: 0 })
  }
  const pairs: { from: number; to: number }[] = []
  for (const record of after.records) {
    const place = places.get(keyOf(after, record))
    const found = place?.list[place.next++]
    if (found === undefined || !sameBytes(recordBytes(before, before.records[found]!), recordBytes(after, record)))
      continue
    pairs.push({ from: found, to: record.index })
  }
  return new Map(increasing(pairs).map(({ from, to }) => [to, from]))
}

/** The longest run of pairs in which both sides ascend. */
function increasing(pairs: readonly { readonly from: number; readonly to: number }[]) {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  pairs.forEach(({ from }, at) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]!.from < from) low = middle + 1
      else high = middle
    }
    previous[at] = low > 0 ? ends[low - 1]! : -1
    ends[low] = at
  })
  const run: { readonly from: number; readonly to: number }[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) run.push(pairs[at]!)
  return run.reverse()
}

const bytewise = new TextDecoder('latin1')

function keyOf(file: SessionFile, record: FileRecord): string {
  return `${record.end - record.start} ${idOf(record) ?? bytewise.decode(recordBytes(file, record).subarray(0, 200))}`
}

/** An id that formats give to records. */
function idOf({ value }: FileRecord): string | undefined {
  if (!isObject(value)) return undefined
  for (const key of ['uuid', 'id', 'ordinal']) {
    const id = value[key]
    if (typeof id === 'string' || typeof id === 'number') return `${key}:${id}`
  }
  return undefined
}

function gapChanges(
  old: readonly FileRecord[],
  added: readonly FileRecord[],
  last: number,
  after: SessionFile,
  why: (bytes: Uint8Array) => string,
): RecordChange[] {
  const changes: RecordChange[] = []
  const free = new Map(old.map((record) => [record.index, record]))
  let place = last
  for (const record of added) {
    const bytes = recordBytes(after, record)
    const id = idOf(record)
    const same = id === undefined ? undefined : [...free.values()].find((one) => one.index > place && idOf(one) === id)
    if (same) {
      free.delete(same.index)
      place = same.index
      changes.push({ op: 'replace', record: same.index, bytes, why: why(bytes) })
    } else changes.push({ op: 'insert', after: place, bytes, why: why(bytes) })
  }
  for (const record of free.values())
    changes.push({ op: 'remove', record: record.index, why: 'Removed by the repair.' })
  return changes
}
