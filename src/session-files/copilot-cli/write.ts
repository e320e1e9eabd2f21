/** Writes a repaired conversation back as Copilot CLI events. A synthetic result is a failed one. */
import { isObject, type JsonObject, jsonText, type Patch, withKey } from '../../core/index.ts'
import { defined, list, object, text } from '../json-values.ts'
import { chatText, storedCall } from '../shared/chat-call.ts'
import { uuidFrom } from '../shared/line.ts'
import { type ChangedPart, wholeMessages } from '../shared/part-changes.ts'
import { detailsOf } from '../shared/read-details.ts'
import { type SequenceItem, sequenceAfter, withoutMoves } from '../shared/sequence.ts'
import { type ChainedRecords, writeChained } from '../shared/write-chained.ts'
import type { Conversation, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { KEYS } from './read.ts'

export function write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[] {
  const details = detailsOf(conversation)
  if (!details) return []
  const sequence = sequenceAfter(patch, conversation.history, details.origins, wholeMessages)
  return writeChained(file, details.path, withoutMoves(sequence), EVENTS)
}

const EVENTS: ChainedRecords = {
  keys: KEYS,
  withParts: (value, parts) => withKey(value as JsonObject, 'data', dataWith(value, parts)),
  create,
}

function dataWith(value: unknown, parts: readonly ChangedPart[]): JsonObject {
  const data = object(value, 'data')!
  const message = parts[0]?.part
  const content = chatText(message)
  const type = text(value, 'type')
  if (type === 'tool.execution_complete') {
    const named = withKey(data, 'toolCallId', text(message, 'tool_call_id'))
    return withKey(named, 'result', { ...object(data, 'result'), content })
  }
  if (type === 'user.message') {
    const shown = text(data, 'transformedContent') === undefined ? 'content' : 'transformedContent'
    return withKey(data, shown, content)
  }
  const old = list(data, 'toolRequests') ?? []
  const calls = (list(message, 'tool_calls') ?? []).map((call, i) => {
    const was = old.find((one) => text(one, 'toolCallId') === text(call, 'id')) ?? old[i]
    const { id, name, arguments: args } = storedCall(call, isObject(was) ? was['arguments'] : undefined)
    return { ...(isObject(was) ? was : { type: 'function' }), toolCallId: id, name, arguments: args }
  })
  return withKey(withKey(data, 'content', content), 'toolRequests', calls)
}

const TYPES: Readonly<Record<string, string>> = { assistant: 'assistant.message', tool: 'tool.execution_complete' }

function create(item: SequenceItem, before: FileRecord | undefined, parent: string | null) {
  const message = item.parts[0]?.part
  const type = TYPES[text(message, 'role') ?? ''] ?? 'user.message'
  const id = uuidFrom(parent ?? '', text(message, 'tool_call_id') ?? jsonText(message)!)
  const like = object(before?.value, 'data')
  const context = { interactionId: text(like, 'interactionId'), turnId: text(like, 'turnId') }
  const content = chatText(message)
  const data: JsonObject =
    type === 'tool.execution_complete'
      ? { toolCallId: text(message, 'tool_call_id'), ...context, success: false, result: { content } }
      : type === 'assistant.message'
        ? { messageId: uuidFrom(id, 'message'), content, toolRequests: newCalls(message), ...context }
        : { content, ...context }
  return { id, value: { type, data: defined(data), id, timestamp: text(before?.value, 'timestamp'), parentId: parent } }
}

function newCalls(message: unknown): readonly unknown[] {
  return (list(message, 'tool_calls') ?? []).map((call) => {
    const { id, name, arguments: args } = storedCall(call, undefined)
    return { toolCallId: id, name, arguments: args, type: 'function' }
  })
}
