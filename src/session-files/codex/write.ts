/**
 * Writes a repair into a Codex rollout. Other rollouts and the cache of Codex have byte offsets into it, so bytes
 * before the tail keep their offsets: a changed record is padded with spaces, a removed one becomes spaces. A repair
 * that would move bytes needs a new rollout.
 */
import { isObject, type JsonObject, type Patch, withKey } from '../../core/index.ts'
import { checkFile } from '../arguments.ts'
import { defined, list, object, text } from '../json-values.ts'
import { joined } from '../salvage/bytes.ts'
import { lineOf, uuidFrom } from '../shared/line.ts'
import { detailsOf } from '../shared/read-details.ts'
import { type SequenceItem, sequenceAfter, withoutMoves } from '../shared/sequence.ts'
import type { Conversation, FileRecord, NewFile, RecordChange, RecordEdit, SessionFile } from '../types.ts'
import { ordinalOf } from './records.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const partsOf = (history: readonly unknown[]) => history.map((part) => ({ role: '', part }))
  const { items, removed } = withoutMoves(sequenceAfter(patch, conversation.history, details.origins, partsOf))
  const out: RecordEdit[] = removed.map((record) => ({ op: 'remove', record }))
  let before: FileRecord | undefined
  for (const item of items) {
    const record = item.record === undefined ? undefined : file.records[item.record]
    if (record && item.changed)
      out.push({ op: 'replace', record: record.index, bytes: lineOf(withItems(record, item)) })
    const after = before?.index ?? headOf(file)
    if (!record) out.push({ op: 'insert', after, bytes: lineOf(created(file, item, before)) })
    before = record ?? before
  }
  return out
}

function headOf({ records }: SessionFile): number {
  return (records.find(({ type }) => type.startsWith('response_item'))?.index ?? records.length) - 1
}

function withItems({ value }: FileRecord, { parts }: SequenceItem): unknown {
  const record = value as JsonObject
  const payload = object(record, 'payload')!
  if (text(record, 'type') !== 'compacted') return withKey(record, 'payload', parts[0]?.part)
  const old = list(payload, 'replacement_history')
  if (!old) return record
  const items = parts.map(({ part }) => part)
  const replaced = withKey(payload, 'replacement_history', items)
  const metadata = list(payload, 'replacement_history_metadata')
  // Codex rejects the record unless both lists have the same length.
  const kept = metadata && parts.map(({ origin }) => (origin ? (metadata[origin.slot] ?? null) : null))
  return withKey(record, 'payload', kept ? withKey(replaced, 'replacement_history_metadata', kept) : replaced)
}

function created({ records }: SessionFile, { parts }: SequenceItem, before: FileRecord | undefined): unknown {
  const last = records.findLast(({ value }) => ordinalOf(value) !== undefined)
  return defined({
    timestamp: text(before?.value, 'timestamp') ?? text(records[0]?.value, 'timestamp'),
    ordinal: last ? ordinalOf(last.value)! + 1 : undefined,
    type: 'response_item',
    payload: parts[0]?.part,
  })
}

/** Only records of the tail may change their length. */
export function arrange(file: SessionFile, changes: readonly RecordChange[]): readonly RecordChange[] {
  const tail = tailOf(file, changes)
  return changes.map((change) => {
    if (change.op === 'insert' || change.record >= tail) return change
    const { start, end } = file.records[change.record]!
    const bytes = change.op === 'remove' ? new Uint8Array(0) : change.bytes
    if (bytes.length > end - start) return change
    const padding = new Uint8Array(end - start - bytes.length).fill(0x20)
    return { op: 'replace', record: change.record, bytes: joined([bytes, padding]), why: change.why }
  })
}

/** The first record after which every record is changed or removed. */
function tailOf({ records }: SessionFile, changes: readonly RecordChange[]): number {
  const changed = new Set(changes.flatMap((change) => (change.op === 'insert' ? [] : [change.record])))
  let tail = records.length
  while (tail > 0 && changed.has(tail - 1)) tail--
  return tail
}

export function mayWrite(file: SessionFile, changes: readonly RecordChange[]): string | undefined {
  const tail = tailOf(file, changes)
  const last = file.records.at(-1)
  const moves = changes.some((change) => {
    if (change.op === 'insert') return change.after < tail - 1
    const { start, end } = file.records[change.record]!
    return change.record < tail && (change.op === 'remove' || change.bytes.length !== end - start)
  })
  const cut = last !== undefined && file.salvage.quarantined.some(({ offset }) => offset < last.start)
  const rewritten = file.records.some((record) => record.rewritten !== undefined)
  if (!moves && !cut && !rewritten) return undefined
  return 'The repair would move records that other rollouts and the cache of Codex find by their byte offset. Write it as a new rollout, with a thread id of its own.'
}

/** A repaired rollout as a new one: with another thread id, ordinals from 0, and no reference to other rollouts. */
export function newRollout(file: SessionFile): { readonly threadId: string; readonly bytes: Uint8Array } {
  checkFile(file)
  const threadId = uuidFrom(
    file.sessionId ?? '',
    String(file.records.length),
    text(file.records.at(-1)?.value, 'timestamp') ?? '',
  )
  const numbered = file.records.some(({ value }) => ordinalOf(value) !== undefined)
  const newline = new Uint8Array([0x0a])
  const lines = file.records.flatMap(({ value }, place) => {
    const own = isObject(value) ? value : {}
    const meta =
      own['type'] === 'session_meta' ? withKey(own, 'payload', renamed(object(own, 'payload') ?? {}, threadId)) : own
    return [lineOf(numbered ? withKey(meta, 'ordinal', place) : meta), newline]
  })
  return { threadId, bytes: joined(lines) }
}

/** Named as Codex names its files. */
export function newFile(file: SessionFile): NewFile {
  const { threadId, bytes } = newRollout(file)
  const named = /rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)/.exec(file.input.path ?? '')?.[1]
  const time = named ?? (text(file.records[0]?.value, 'timestamp') ?? '').slice(0, 19).replaceAll(':', '-')
  return { name: `rollout-${time}-${threadId}.jsonl`, bytes }
}

function renamed(payload: JsonObject, threadId: string): JsonObject {
  const forked = withKey(payload, 'forked_from_id', payload['id'])
  const named = withKey(withKey(forked, 'id', threadId), 'history_base', undefined)
  return 'session_id' in payload ? withKey(named, 'session_id', threadId) : named
}
