/** Messages of pi as Anthropic or OpenAI chat messages, with the record and the place of each part. */
import { isObject, type JsonObject, jsonText, own } from '../../core/index.ts'
import { defined, list, object, text } from '../json-values.ts'
import { chatCall } from '../shared/chat-call.ts'
import type { Origin } from '../shared/part-changes.ts'
import { ofType } from '../shared/parts.ts'
import { asBlock, type PartList } from '../shared/plain-parts.ts'
import type { FileRecord } from '../types.ts'

interface Mapped {
  readonly history: readonly unknown[]
  readonly sources: readonly (readonly number[])[]
  readonly origins: ReadonlyMap<unknown, Origin>
}

/** pi does not send answers that failed. */
export function isContent({ type, value }: FileRecord): boolean {
  const stop = text(object(value, 'message'), 'stopReason')
  return type.startsWith('message/') && stop !== 'error' && stop !== 'aborted'
}

/** pi stores the id of a call of the Responses API as `call_id|item_id`, and sends the first part. */
export function sentId(id: unknown): string {
  return typeof id === 'string' ? id.split('|')[0]! : ''
}

/** The stored id, if the sent one has not changed. */
export function storedId(sent: unknown, was: unknown): unknown {
  return typeof was === 'string' && sentId(was) === sent ? was : sent
}

export function toAnthropic(records: readonly FileRecord[]): Mapped {
  const origins = new Map<unknown, Origin>()
  const messages: { role: string; content: unknown[]; records: number[] }[] = []
  for (const record of records) {
    const { role, parts } = anthropicParts(record)
    if (parts.length === 0) continue
    const last = messages.at(-1)
    const target = last?.role === role && role === 'user' ? last : { role, content: [], records: [] }
    if (target !== last) messages.push(target)
    target.records.push(record.index)
    parts.forEach((part, slot) => {
      target.content.push(part)
      origins.set(part, { record: record.index, slot })
    })
  }
  return {
    history: messages.map(({ role, content }) => ({ role, content })),
    sources: messages.map(({ records: own }) => own),
    origins,
  }
}

function anthropicParts(record: FileRecord): { role: string; parts: readonly unknown[] } {
  const message = object(record.value, 'message')
  if (record.type === 'compaction')
    return { role: 'user', parts: [{ type: 'text', text: text(record.value, 'summary') ?? '' }] }
  if (!message || !isContent(record)) return { role: 'user', parts: [] }
  const blocks = blocksOf(message)
  if (text(message, 'role') === 'assistant')
    return { role: 'assistant', parts: blocks.map(toAnthropicBlock).filter(isObject) }
  if (text(message, 'role') !== 'toolResult')
    return { role: 'user', parts: text(message, 'role') === 'user' ? blocks.map(toAnthropicBlock) : [] }
  const content = blocks.map(toAnthropicBlock)
  const isError = message['isError'] === true ? { is_error: true } : {}
  return {
    role: 'user',
    parts: [{ type: 'tool_result', tool_use_id: sentId(message['toolCallId']), content, ...isError }],
  }
}

const block = (text: string) => ({ type: 'text', text })
export const PARTS: PartList = { key: 'content', provider: 'the provider', block }

/** A plain value in the list is shown as the text that its repair makes of it. */
export function blocksOf(message: JsonObject): readonly unknown[] {
  const { content } = message
  if (typeof content === 'string') return [PARTS.block(content)]
  return (list(message, 'content') ?? []).map((part) => asBlock(part, PARTS) ?? part)
}

function toAnthropicBlock(native: unknown): unknown {
  const block = isObject(native) ? native : {}
  if (block['type'] === 'toolCall')
    return { type: 'tool_use', id: sentId(block['id']), name: block['name'], input: block['arguments'] ?? {} }
  if (block['type'] === 'thinking' && block['redacted'] === true)
    return { type: 'redacted_thinking', data: block['thinkingSignature'] }
  if (block['type'] === 'thinking')
    return defined({ type: 'thinking', thinking: block['thinking'], signature: block['thinkingSignature'] })
  if (block['type'] === 'image')
    return { type: 'image', source: { type: 'base64', media_type: block['mimeType'], data: block['data'] } }
  return { type: 'text', text: readable(block) }
}

/** The text of a block. A block with other content is shown as JSON, so that no repair takes it for an empty one. */
function readable(block: unknown): string {
  const own = text(block, 'text')
  if (own !== undefined) return own
  return isObject(block) && Object.keys(block).some((key) => key !== 'type') ? jsonText(block)! : ''
}

/** The block as pi stores it. Keys of `was` that are not sent stay. */
export function fromAnthropicBlock(block: unknown, was: unknown): unknown {
  const sent = isObject(block) ? block : {}
  const kept = isObject(was) ? was : {}
  if (sent['type'] === 'tool_use') {
    const { id, name, input } = sent
    return { ...kept, type: 'toolCall', id: storedId(id, kept['id']), name, arguments: input }
  }
  if (sent['type'] === 'thinking')
    return defined({ ...kept, type: 'thinking', thinking: sent['thinking'], thinkingSignature: sent['signature'] })
  if (sent['type'] === 'text') return { type: 'text', text: sent['text'] }
  return isObject(was) ? was : { type: 'text', text: jsonText(block) }
}

export function toChat(records: readonly FileRecord[]): Mapped {
  const origins = new Map<unknown, Origin>()
  const history: unknown[] = []
  const sources: number[][] = []
  for (const record of records) {
    const message = chatMessage(record)
    if (!message) continue
    history.push(message)
    sources.push([record.index])
    origins.set(message, { record: record.index, slot: 0 })
  }
  return { history, sources, origins }
}

function chatMessage(record: FileRecord): JsonObject | undefined {
  if (record.type === 'compaction') return { role: 'user', content: text(record.value, 'summary') ?? '' }
  const message = object(record.value, 'message')
  if (!message || !isContent(record)) return undefined
  const role = text(message, 'role')
  const blocks = blocksOf(message)
  const content = ofType(blocks, 'text').map(readable).join('')
  if (role === 'user') return { role, content }
  if (role === 'toolResult') return { role: 'tool', tool_call_id: sentId(message['toolCallId']), content }
  if (role !== 'assistant') return undefined
  const calls = ofType(blocks, 'toolCall').map((block) =>
    chatCall({ id: sentId(own(block, 'id')), name: text(block, 'name') ?? '', arguments: own(block, 'arguments') }),
  )
  return calls.length > 0 ? { role, content: content === '' ? null : content, tool_calls: calls } : { role, content }
}
