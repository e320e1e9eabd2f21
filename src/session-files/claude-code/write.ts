/**
 * Writes a repaired conversation back into a Claude Code file: one line for each new block, synthetic results as Claude Code writes errors.
 */
import { apply, isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { uuidFrom } from '../shared/line.ts'
import { type ChangedPart, callId, partChanges, type RolePart } from '../shared/part-changes.ts'
import { type SequenceItem, sequenceOf } from '../shared/sequence.ts'
import { defined, list, object, text } from '../shared/values.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { detailsOf, type ReadConversation } from './read.ts'
import { callsIn, messageId, resultsIn } from './records.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const after = apply(conversation.history, patch)
  const { origins } = details.built
  const changes = partChanges(flat(conversation.history), flat(after), origins)
  const path = details.path.map(({ record }) => record.index)
  return writeChained(file, path, sequenceOf(changes, origins), chainOf(details))
}

function flat(history: readonly unknown[]): readonly RolePart[] {
  return history.flatMap((message) => {
    const role = text(message, 'role') ?? 'user'
    const content = list(message, 'content') ?? [{ type: 'text', text: (message as JsonObject)['content'] }]
    return content.map((part) => ({ role, part }))
  })
}

function chainOf(details: ReadConversation): ChainedRecords {
  const callLines = new Map<string, FileRecord>()
  for (const { record } of details.path) for (const call of callsIn(record.value)) callLines.set(call, record)
  const forks = forksResults(details)
  const lineOfCall = (item: SequenceItem) => callLines.get(resultId(item) ?? '')
  return {
    idOf: (value) => text(value, 'uuid'),
    parentOf: (value) => text(value, 'parentUuid') ?? null,
    withParent: (value, parent) => withKey(value as JsonObject, 'parentUuid', parent),
    withParts,
    create: (item, before, parent) => created(item, before, parent, lineOfCall(item)),
    parentFor: (item) => (forks ? lineOfCall(item) : undefined),
    isSibling: (child, parent) => isSibling(child, parent, forks),
    withReferences,
  }
}

/** Since 2.1 each result hangs on its own call line; before, results are in one line. The file shows which. */
function forksResults({ path, chain }: ReadConversation): boolean {
  let forks = 0
  let lines = 0
  const callLines = new Map<string | undefined, number>()
  for (const { record } of path) {
    const id = messageId(record.value)
    if (callsIn(record.value).length > 0) callLines.set(id, (callLines.get(id) ?? 0) + 1)
  }
  for (const { record, parent } of path) {
    const [call] = resultsIn(record.value)
    const above = parent === null ? undefined : chain.byId.get(parent)
    if (call === undefined || !above) continue
    const siblings = (callLines.get(messageId(above.record.value)) ?? 0) > 1
    if (callsIn(above.record.value).includes(call) && siblings) forks++
    else if (!callsIn(above.record.value).includes(call)) lines++
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
    toolUseResult: result ? `Error: ${resultText(item.parts[0]!.part)}` : undefined,
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

function resultText(part: unknown): string {
  const content = isObject(part) ? part['content'] : undefined
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((one) => text(one, 'text') ?? '').join('\n') : ''
}

/** Titles, snapshots and boundaries that name a removed record name the one before it. */
function withReferences(value: unknown, renamed: (id: string) => string | null | undefined): unknown {
  let next = value as JsonObject
  for (const key of ['leafUuid', 'logicalParentUuid', 'messageId', 'sourceToolAssistantUUID']) {
    const id = text(next, key)
    const to = id === undefined ? undefined : renamed(id)
    if (to !== undefined) next = withKey(next, key, to)
  }
  return next
}
