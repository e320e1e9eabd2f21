/** What pi does not load: records before a broken link. And compactions that separate a call from its result. */
import { type JsonObject, withKey } from '../../core/index.ts'
import { list, object, text } from '../json-values.ts'
import { errorIn, replaced } from '../shared/faults.ts'
import { lineOf } from '../shared/line.ts'
import { repairedPath } from '../shared/linked.ts'
import { plainPartFaults } from '../shared/plain-parts.ts'
import type { FileFault, FileRecord, RecordChange, SessionFile } from '../types.ts'
import { blocksOf, PARTS } from './messages.ts'
import { entriesOf, KEYS } from './read.ts'

export function check(file: SessionFile): readonly FileFault[] {
  const { faults, path } = repairedPath(entriesOf(file.records), KEYS, 'pi')
  return [
    ...headFault(file),
    ...faults,
    ...path.flatMap((entry, place) => compactionFaults(path, entry, place)),
    ...plainPartFaults(file, PARTS),
  ]
}

function headFault({ records }: SessionFile): readonly FileFault[] {
  const first = records[0]
  if (!first || first.type === 'session') return []
  const message = `The first record is ${first.type}, not the session head: pi does not open the file. Only you can write the head: it holds the session id and the folder.`
  return [errorIn(first, 'missing-head-record', message)]
}

function compactionFaults(path: readonly FileRecord[], entry: FileRecord, place: number): readonly FileFault[] {
  if (entry.type !== 'compaction') return []
  return [...insidePair(path, entry, place), ...keptFromPair(path, entry, place)]
}

function callsIn(entry: FileRecord | undefined): readonly string[] {
  const message = entry && object(entry.value, 'message')
  if (!message || text(message, 'role') !== 'assistant') return []
  return blocksOf(message).flatMap((block) => (text(block, 'type') === 'toolCall' ? [text(block, 'id') ?? ''] : []))
}

function resultOf(entry: FileRecord | undefined): string | undefined {
  const message = entry && object(entry.value, 'message')
  return text(message, 'role') === 'toolResult' ? text(message, 'toolCallId') : undefined
}

/** A compaction between a call and its result belongs after the last result. */
function insidePair(path: readonly FileRecord[], entry: FileRecord, place: number): readonly FileFault[] {
  let before = place - 1
  while (
    before >= 0 &&
    (resultOf(path[before]) !== undefined || callsIn(path[before]).length === 0) &&
    before > place - 64
  ) {
    if (text(object(path[before]!.value, 'message'), 'role') === 'user') return []
    before--
  }
  const calls = new Set(callsIn(path[before]))
  let last = place
  for (let i = place + 1; i < path.length; i++) {
    const id = resultOf(path[i])
    if (id === undefined) break
    if (calls.has(id)) last = i
  }
  if (last === place) return []
  const message = `The compaction in line ${entry.line} is between a call and its result in line ${path[last]!.line}: the model gets a result without a call. The repair moves the compaction after the result.`
  return [errorIn(entry, 'compaction-inside-pair', message, movedAfter(path, place, last))]
}

function movedAfter(path: readonly FileRecord[], place: number, last: number): readonly RecordChange[] {
  const why = 'compaction-inside-pair: the compaction follows the result'
  const entry = path[place]!
  const linked = ({ value }: FileRecord, parent: unknown) => withKey(value as JsonObject, 'parentId', parent)
  const first = path[place + 1]!
  const next = path[last + 1]
  const end = path[last]!
  return [
    replaced(first, linked(first, text(entry.value, 'parentId') ?? null), why),
    { op: 'remove', record: entry.index, why },
    { op: 'insert', after: end.index, bytes: lineOf(linked(entry, text(end.value, 'id'))), why },
    ...(next ? [replaced(next, linked(next, text(entry.value, 'id')), why)] : []),
  ]
}

/** A compaction that keeps a result, but not its call. */
function keptFromPair(path: readonly FileRecord[], entry: FileRecord, place: number): readonly FileFault[] {
  if (list(entry.value, 'retainedTail')) return []
  const first = text(entry.value, 'firstKeptEntryId')
  const at = path.findIndex(({ value }) => text(value, 'id') === first)
  if (first === undefined || at > place) return []
  if (at < 0) {
    const message = `The compaction in line ${entry.line} keeps messages from entry ${first} on, which is not on its path: pi keeps none of them. Only you can say where they begin.`
    return [errorIn(entry, 'first-kept-missing', message)]
  }
  const id = resultOf(path[at])
  if (id === undefined) return []
  const call = path.slice(0, at).findLast((one) => callsIn(one).includes(id))
  if (!call) return []
  const value = withKey(entry.value as JsonObject, 'firstKeptEntryId', text(call.value, 'id'))
  const message = `The compaction in line ${entry.line} keeps the result in line ${path[at]!.line}, but not its call in line ${call.line}. The repair keeps the call, too.`
  const fix = [replaced(entry, value, 'first-kept-inside-pair: begins at the call')]
  return [errorIn(entry, 'first-kept-inside-pair', message, fix)]
}
