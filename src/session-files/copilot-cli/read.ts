/** Reads the events of a Copilot CLI session as OpenAI chat messages. */

import { isObject } from '../../core/index.ts'
import { list, object, text } from '../json-values.ts'
import { salvage } from '../salvage/index.ts'
import { chatCall } from '../shared/chat-call.ts'
import { withDetails } from '../shared/read-details.ts'
import { sessionFile } from '../shared/session-file.ts'
import type { Conversation, ExcludedBecause, FileInput, FileRecord, SessionFile } from '../types.ts'

export const ID = 'copilot-cli'
export const KEYS = { id: 'id', parent: 'parentId' }

const FAMILIES =
  /^(?:session|assistant|tool|hook|system|subagent|skill|user|permission|command|mcp|model|workspace|plan)\.|^abort$/
const CONTENT = new Set(['user.message', 'assistant.message', 'tool.execution_complete'])

export function isEnvelope(value: unknown): boolean {
  return (
    isObject(value) && typeof value['type'] === 'string' && isObject(value['data']) && typeof value['id'] === 'string'
  )
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  return { type, known: isEnvelope(value) && FAMILIES.test(type) }
}

export function read(input: FileInput): SessionFile {
  const lines = salvage(input.bytes, classify, { envelope: isEnvelope })
  const start = startOf(lines.records)
  return sessionFile(ID, input, lines, conversations(lines), {
    version: text(start, 'copilotVersion'),
    sessionId: text(start, 'sessionId'),
    cwd: text(object(start, 'context'), 'cwd'),
  })
}

function startOf(records: readonly FileRecord[]): unknown {
  return object(records.find(({ type }) => type === 'session.start')?.value, 'data')
}

export function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const own = records.filter(({ type, value }) => CONTENT.has(type) && isEnvelope(value))
  const ids = new Set<string>()
  const excluded: { record: number; because: ExcludedBecause }[] = []
  const kept: { message: unknown; record: number }[] = []
  for (const record of own) {
    const id = text(record.value, 'id')!
    if (ids.has(id)) excluded.push({ record: record.index, because: 'superseded' })
    else kept.push({ message: messageOf(record), record: record.index })
    ids.add(id)
  }
  const model = records.findLast(
    ({ type, value }) => type === 'assistant.message' && text(object(value, 'data'), 'model'),
  )
  const conversation: Conversation = {
    id: 'main',
    dialect: 'openai-chat',
    provider: 'copilot',
    model: text(object(model?.value, 'data'), 'model') ?? text(startOf(records), 'selectedModel'),
    history: kept.map(({ message }) => message),
    sources: kept.map(({ record }) => [record]),
    reach: { included: kept.length, total: own.length, excluded },
    agentClosesOpenCalls: true,
  }
  const path = records.filter(({ value }) => text(value, 'id') !== undefined)
  const origins = new Map(kept.map(({ message, record }) => [message, { record, slot: 0 }]))
  return [withDetails(conversation, { path, origins })]
}

function messageOf({ type, value }: FileRecord): unknown {
  const data = object(value, 'data')!
  if (type === 'user.message')
    return { role: 'user', content: text(data, 'transformedContent') ?? text(data, 'content') ?? '' }
  if (type === 'tool.execution_complete')
    return { role: 'tool', tool_call_id: text(data, 'toolCallId') ?? '', content: resultText(data) }
  const calls = (list(data, 'toolRequests') ?? []).map((call) =>
    chatCall({
      id: text(call, 'toolCallId') ?? '',
      name: text(call, 'name') ?? '',
      arguments: isObject(call) ? call['arguments'] : undefined,
    }),
  )
  const content = text(data, 'content') ?? ''
  if (calls.length === 0) return { role: 'assistant', content }
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls }
}

function resultText(data: unknown): string {
  return text(object(data, 'result'), 'content') ?? text(object(data, 'error'), 'message') ?? ''
}
