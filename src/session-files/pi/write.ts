/** Writes a repaired conversation back into entries of pi. */
import { isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { fingerprint } from '../fingerprint.ts'
import { list, object, text } from '../json-values.ts'
import { chatText, storedCall } from '../shared/chat-call.ts'
import { type ChangedPart, partsIn, wholeMessages } from '../shared/part-changes.ts'
import { ofType } from '../shared/parts.ts'
import { detailsOf } from '../shared/read-details.ts'
import { type SequenceItem, sequenceAfter } from '../shared/sequence.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { blocksOf, fromAnthropicBlock, sentId, storedId } from './messages.ts'
import { KEYS } from './read.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const chat = conversation.dialect === 'openai-chat'
  const partsOf = chat ? wholeMessages : (history: readonly unknown[]) => partsIn(history, 'content')
  const sequence = sequenceAfter(patch, conversation.history, details.origins, partsOf)
  return writeChained(file, details.path, sequence, entries(chat, toolNames(details.path)))
}

interface StoredName {
  readonly id: string
  readonly name: string
}

/** The stored id and name of each call, by the id that is sent. pi also stores the tool's name in the result. */
function toolNames(path: readonly FileRecord[]): ReadonlyMap<string, StoredName> {
  const messages = path.map(({ value }) => object(value, 'message')).filter(isObject)
  const calls = messages.flatMap((message) => ofType(blocksOf(message), 'toolCall'))
  const names = calls.map((call) => ({ id: text(call, 'id') ?? '', name: text(call, 'name') ?? '' }))
  return new Map(names.map((stored) => [sentId(stored.id), stored]))
}

function entries(chat: boolean, names: ReadonlyMap<string, StoredName>): ChainedRecords {
  return {
    keys: KEYS,
    withParts: (value, parts) => (chat ? withChat(value, parts) : withBlocks(value, parts)),
    create: (item, before, parent) => create(item, before, parent, names),
    // Compactions, labels and branch summaries name entries.
    references: ['firstKeptEntryId', 'fromId', 'targetId'],
    endsWithFile: true,
  }
}

function withBlocks(value: unknown, parts: readonly ChangedPart[]): unknown {
  const record = value as JsonObject
  const first = parts[0]?.part
  if (text(record, 'type') === 'compaction') return withKey(record, 'summary', text(first, 'text') ?? '')
  const message = object(record, 'message')!
  if (text(message, 'role') === 'toolResult') {
    if (text(first, 'type') !== 'tool_result') return withKey(record, 'message', noteOf(message, first))
    const toolCallId = storedId(text(first, 'tool_use_id'), message['toolCallId'])
    return withKey(record, 'message', { ...message, toolCallId, ...resultOf(first) })
  }
  const old = blocksOf(message)
  const content = parts.map(({ part, origin, changed }) => {
    const was = origin ? old[origin.slot] : undefined
    return changed || was === undefined ? fromAnthropicBlock(part, was) : was
  })
  return withKey(record, 'message', withKey(message, 'content', content))
}

/** A result without a call becomes a message of the user that quotes it. */
function noteOf(message: JsonObject, part: unknown): JsonObject {
  return { role: 'user', content: [fromAnthropicBlock(part, undefined)], timestamp: message['timestamp'] }
}

function resultOf(part: unknown): JsonObject {
  const content = isObject(part) ? part['content'] : undefined
  const blocks = Array.isArray(content)
    ? content.map((one) => fromAnthropicBlock(one, undefined))
    : [{ type: 'text', text: String(content ?? '') }]
  return { content: blocks, isError: isObject(part) && part['is_error'] === true }
}

function withChat(value: unknown, parts: readonly ChangedPart[]): unknown {
  const record = value as JsonObject
  const own = parts[0]?.part
  if (text(record, 'type') === 'compaction') return withKey(record, 'summary', chatText(own))
  const message = object(record, 'message')!
  const part = { type: 'text', text: chatText(own) }
  const role = text(own, 'role')
  if (role === 'tool') {
    const toolCallId = storedId(text(own, 'tool_call_id'), message['toolCallId'])
    return withKey(record, 'message', { ...message, toolCallId, content: [part] })
  }
  if (role !== 'assistant')
    return withKey(record, 'message', { role: 'user', content: [part], timestamp: message['timestamp'] })
  const old = blocksOf(message)
  const oldCalls = ofType(old, 'toolCall')
  const calls = (list(own, 'tool_calls') ?? []).map((call, i) => {
    const was = oldCalls.find((block) => sentId(text(block, 'id')) === text(call, 'id')) ?? oldCalls[i]
    const kept = isObject(was) ? was : {}
    const stored = storedCall(call, undefined)
    return { ...kept, type: 'toolCall', ...stored, id: storedId(stored.id, kept['id']) }
  })
  const content = [...ofType(old, 'thinking'), ...(part.text === '' ? [] : [part]), ...calls]
  return withKey(record, 'message', withKey(message, 'content', content))
}

function create(
  item: SequenceItem,
  before: FileRecord | undefined,
  parent: string | null,
  names: ReadonlyMap<string, StoredName>,
) {
  const part = item.parts[0]?.part
  const call = text(part, 'tool_use_id') ?? text(part, 'tool_call_id')
  const id = fingerprint([parent ?? '', call ?? jsonText(item.parts.map((one) => one.part))!]).slice(0, 8)
  const timestamp = text(before?.value, 'timestamp')
  const time = timestamp === undefined ? undefined : Date.parse(timestamp)
  const message = { ...newMessage(item, call, names), ...(time !== undefined && { timestamp: time }) }
  return {
    id,
    value: { type: 'message', id, parentId: parent, ...(timestamp !== undefined && { timestamp }), message },
  }
}

function newMessage(item: SequenceItem, call: string | undefined, names: ReadonlyMap<string, StoredName>): JsonObject {
  const part = item.parts[0]?.part
  if (call !== undefined) {
    const { id, name } = names.get(call) ?? { id: call, name: '' }
    const content = [{ type: 'text', text: chatText(part) }]
    const result = text(part, 'type') === 'tool_result' ? resultOf(part) : { content, isError: true }
    return { role: 'toolResult', toolName: name, toolCallId: id, ...result }
  }
  const chat = text(part, 'role') !== undefined
  const content = chat
    ? [{ type: 'text', text: chatText(part) }]
    : item.parts.map((one) => fromAnthropicBlock(one.part, undefined))
  if (item.role !== 'assistant') return { role: 'user', content }
  const calls = chat
    ? (list(part, 'tool_calls') ?? []).map((one) => ({ type: 'toolCall', ...storedCall(one, undefined) }))
    : []
  return { role: 'assistant', content: [...content, ...calls], stopReason: calls.length > 0 ? 'toolUse' : 'stop' }
}
