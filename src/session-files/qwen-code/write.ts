/**
 * Writes a repaired chat back into Qwen Code's records.
 */
import { apply, isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { uuidFrom } from '../shared/line.ts'
import { type ChangedPart, partChanges, type RolePart } from '../shared/part-changes.ts'
import { type SequenceItem, sequenceOf } from '../shared/sequence.ts'
import { defined, list, object, text } from '../shared/values.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { detailsOf } from './read.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const changes = partChanges(flat(conversation.history), flat(apply(conversation.history, patch)), details.origins)
  const path = details.path.map(({ index }) => index)
  return writeChained(file, path, sequenceOf(changes, details.origins), RECORDS)
}

function flat(history: readonly unknown[]): readonly RolePart[] {
  return history.flatMap((message, index) =>
    (list(message, 'parts') ?? []).map((part) => ({ role: text(message, 'role') ?? 'user', part, message: index })),
  )
}

const RECORDS: ChainedRecords = {
  idOf: (value) => text(value, 'uuid'),
  parentOf: (value) => text(value, 'parentUuid') ?? null,
  withParent: (value, parent) => withKey(value as JsonObject, 'parentUuid', parent),
  withParts,
  create,
}

function withParts(value: unknown, parts: readonly ChangedPart[]): unknown {
  const record = value as JsonObject
  const message = object(record, 'message')
  if (message)
    return withKey(
      record,
      'message',
      withKey(
        message,
        'parts',
        parts.map(({ part }) => part),
      ),
    )
  const payload = object(record, 'systemPayload')!
  return withKey(record, 'systemPayload', withKey(payload, 'compressedHistory', byRole(parts)))
}

/** A compressed history as messages again: neighbors of one role together. */
function byRole(parts: readonly ChangedPart[]): readonly unknown[] {
  const messages: { role: string; parts: unknown[] }[] = []
  for (const { role, part } of parts) {
    const last = messages.at(-1)
    if (last?.role === role) last.parts.push(part)
    else messages.push({ role, parts: [part] })
  }
  return messages
}

const COPIED = ['cwd', 'version', 'gitBranch'] as const

function create(item: SequenceItem, before: FileRecord | undefined, parent: string | null) {
  const base = before?.value
  const response = object(item.parts[0]?.part, 'functionResponse')
  const parts = item.parts.map(({ part }) => part)
  const uuid = uuidFrom(text(base, 'sessionId') ?? '', parent ?? '', text(response, 'id') ?? jsonText(parts)!)
  const type = response ? 'tool_result' : item.role === 'model' ? 'assistant' : 'user'
  const provenance = { tool_result: 'tool_result', assistant: 'assistant_output', user: 'system' }[type]
  const value = defined({
    uuid,
    parentUuid: parent,
    sessionId: text(base, 'sessionId'),
    timestamp: text(base, 'timestamp'),
    type,
    provenance: isObject(base) && 'provenance' in base ? provenance : undefined,
    ...Object.fromEntries(COPIED.map((key) => [key, text(base, key)])),
    message: { role: item.role, parts },
    toolCallResult: response ? { callId: text(response, 'id'), status: 'error' } : undefined,
  })
  // The chain keeps `parentUuid: null` for the first record.
  return { id: uuid, value: withKey(value, 'parentUuid', parent) }
}
