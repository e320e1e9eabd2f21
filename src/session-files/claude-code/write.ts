/**
 * Writes a repaired conversation back into a Claude Code file: one line for each new block. Synthetic results look like
 * its own errors.
 */
import { isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { defined, object, text } from '../json-values.ts'
import { uuidFrom } from '../shared/line.ts'
import { type ChangedPart, callId, partsIn } from '../shared/part-changes.ts'
import { contentText } from '../shared/parts.ts'
import { type SequenceItem, sequenceAfter } from '../shared/sequence.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { originsOf } from './history.ts'
import { detailsOf } from './read.ts'
import { callsIn, type Link, messageId, resultsIn } from './records.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const path = detailsOf(conversation)?.path
  if (!path) return []
  // Each block becomes one record.
  const partsOf = (history: readonly unknown[]) => partsIn(history, 'content').map(({ role, part }) => ({ role, part }))
  const sequence = sequenceAfter(patch, conversation.history, originsOf(conversation, path), partsOf)
  const records = path.map(({ record }) => record)
  return writeChained(file, records, sequence, chainOf(path))
}

function chainOf(path: readonly Link[]): ChainedRecords {
  const callLines = new Map<string, FileRecord>()
  for (const { record } of path) for (const call of callsIn(record.value)) callLines.set(call, record)
  const forks = forksResults(path)
  const lineOfCall = (item: SequenceItem) => callLines.get(resultId(item) ?? '')
  return {
    keys: { id: 'uuid', parent: 'parentUuid' },
    withParts,
    create: (item, before, parent) => created(item, before, parent, lineOfCall(item)),
    parentFor: (item) => (forks ? lineOfCall(item) : undefined),
    isSibling: (child, parent) => isSibling(child, parent, forks),
    // Titles, snapshots and boundaries name records.
    references: ['leafUuid', 'logicalParentUuid', 'messageId', 'sourceToolAssistantUUID'],
    hasNullReferences: true,
  }
}

/** Since 2.1 the parent of a result is the line of its call; before, all results are in one line. */
function forksResults(path: readonly Link[]): boolean {
  let forks = 0
  let lines = 0
  const callLines = new Map<string | undefined, number>()
  for (const { record } of path) {
    const id = messageId(record.value)
    if (callsIn(record.value).length > 0) callLines.set(id, (callLines.get(id) ?? 0) + 1)
  }
  for (const { record, above } of path) {
    const [call] = resultsIn(record.value)
    if (call === undefined || !above) continue
    if (!callsIn(above.record.value).includes(call)) lines++
    else if ((callLines.get(messageId(above.record.value)) ?? 0) > 1) forks++
  }
  if (forks === lines) return /^(?:2\.[1-9]|[3-9])/.test(text(path.at(-1)?.record.value, 'version') ?? '')
  return forks > lines
}

function isSibling(child: FileRecord, parent: FileRecord | undefined, forks: boolean): boolean {
  if (!parent) return false
  const id = messageId(parent.value)
  if (id !== undefined && messageId(child.value) === id) return true
  return forks && resultsIn(child.value).some((call) => callsIn(parent.value).includes(call))
}

function withParts(value: unknown, parts: readonly ChangedPart[]): unknown {
  const record = value as JsonObject
  const message = object(record, 'message')!
  const only = parts[0]
  const plain = typeof message['content'] === 'string' && parts.length === 1 && text(only?.part, 'type') === 'text'
  const content = plain ? text(only?.part, 'text') : parts.map(({ part }) => part)
  const next = withKey(record, 'message', withKey(message, 'content', content))
  if (resultsIn(record).length === 0 || resultsIn(next).length > 0) return next
  return withKey(withKey(next, 'toolUseResult', undefined), 'sourceToolAssistantUUID', undefined)
}

function resultId({ parts }: SequenceItem): string | undefined {
  const part = parts[0]?.part
  return text(part, 'type') === 'tool_result' ? callId(part) : undefined
}

const COPIED = [
  'userType',
  'entrypoint',
  'cwd',
  'sessionId',
  'version',
  'gitBranch',
  'slug',
  'agentId',
  'teamName',
] as const

function created(
  item: SequenceItem,
  before: FileRecord | undefined,
  parent: string | null,
  call: FileRecord | undefined,
) {
  const base = before?.value
  const id = uuidFrom(
    text(base, 'sessionId') ?? '',
    parent ?? '',
    resultId(item) ?? jsonText(item.parts.map(({ part }) => part))!,
  )
  const copied = Object.fromEntries(COPIED.map((key) => [key, isObject(base) ? base[key] : undefined]))
  const result = resultId(item) !== undefined
  const value = defined({
    parentUuid: parent,
    isSidechain: isObject(base) && base['isSidechain'] === true,
    promptId: isObject(base) ? base['promptId'] : undefined,
    type: item.role === 'assistant' ? 'assistant' : 'user',
    message: messageOf(item, base),
    uuid: id,
    timestamp: text(base, 'timestamp'),
    toolUseResult: result ? `Error: ${contentText(item.parts[0]!.part)}` : undefined,
    sourceToolAssistantUUID: result ? text(call?.value, 'uuid') : undefined,
    ...copied,
  })
  return { id, value }
}

function messageOf(item: SequenceItem, base: unknown): JsonObject {
  const content = item.parts.map(({ part }) => part)
  if (item.role !== 'assistant') return { role: 'user', content }
  const like = text(base, 'type') === 'assistant' ? object(base, 'message') : undefined
  return defined({
    id: like?.['id'],
    type: 'message',
    role: 'assistant',
    model: like?.['model'] ?? '<synthetic>',
    content,
    stop_reason: null,
    stop_sequence: null,
  })
}
