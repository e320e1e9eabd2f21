/** Writes a repaired chat back into Qwen Code's records. */
import { isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { defined, object, text } from '../json-values.ts'
import { uuidFrom } from '../shared/line.ts'
import { type ChangedPart, partsIn } from '../shared/part-changes.ts'
import { detailsOf } from '../shared/read-details.ts'
import { type SequenceItem, sequenceAfter } from '../shared/sequence.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { KEYS } from './read.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const partsOf = (history: readonly unknown[]) => partsIn(history, 'parts')
  const sequence = sequenceAfter(patch, conversation.history, details.origins, partsOf)
  return writeChained(file, details.path, sequence, RECORDS)
}

const RECORDS: ChainedRecords = { keys: KEYS, withParts, create, endsWithFile: true }

function withParts(value: unknown, parts: readonly ChangedPart[]): unknown {
  const record = value as JsonObject
  const message = object(record, 'message')
  const own = parts.map(({ part }) => part)
  if (message) return withKey(record, 'message', withKey(message, 'parts', own))
  const payload = object(record, 'systemPayload')!
  return withKey(record, 'systemPayload', withKey(payload, 'compressedHistory', byRole(parts)))
}

/** The messages of a compressed history: neighbors of one role are one message. */
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
  return { id: uuid, value }
}
