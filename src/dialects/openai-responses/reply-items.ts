/** Which items of a reply are kept in the history. */
import { isObject, type JsonObject, own, withKey } from '../../core/json.ts'
import { textOf } from '../blocks.ts'
import { argumentsOf, type Calls, type Draft, sort } from '../replies/calls.ts'
import { type CallKind, isServers, kindOf } from './items.ts'

/** The items of a complete reply, unchanged, without those that the API rejects in a history. */
export function wholeMessages(items: readonly unknown[], calls: Calls): readonly unknown[] {
  const answered = answeredIn(items)
  const kept = items.flatMap((item) => {
    if (!isObject(item) || item['type'] === undefined) return []
    const kind = clientKind(item, answered)
    if (kind)
      return sort(draftOf(item, kind, item['status'] !== 'incomplete'), calls) ? [withArguments(item, kind)] : []
    if (item['type'] === 'message') return isEmpty(item) ? [] : [item]
    // The API sends reasoning with a status, but rejects it with one.
    return [item['type'] === 'reasoning' && 'status' in item ? withKey(item, 'status', undefined) : item]
  })
  return kept.filter((item, at) => item['type'] !== 'reasoning' || isFollowed(kept, at))
}

/**
 * The text of an incomplete reply, without ids: the provider may not have stored the items.
 * Reasoning is dropped, because the API rejects it without the item after it.
 */
export function partialMessages(items: readonly unknown[], calls: Calls): readonly unknown[] {
  const answered = answeredIn(items)
  return items.flatMap((item) => {
    if (!isObject(item)) return []
    const kind = clientKind(item, answered)
    if (kind) sort(draftOf(item, kind, false), calls)
    if (item['type'] !== 'message' || isEmpty(item)) return []
    return [{ type: 'message', role: 'assistant', content: item['content'] }]
  })
}

/** A reasoning item is rejected without the item that follows it. */
function isFollowed(items: readonly JsonObject[], at: number): boolean {
  for (let next = at + 1; next < items.length; next++) if (items[next]!['type'] !== 'reasoning') return true
  return false
}

/** The kind of a call for the client; undefined if its output is among the items. */
function clientKind(item: JsonObject, answered: ReadonlySet<unknown>): CallKind | undefined {
  const kind = kindOf(typeof item['type'] === 'string' ? item['type'] : undefined)
  if (!kind || item['type'] !== kind.call || isServers(item, kind) || answered.has(item['call_id'])) return
  return kind
}

function answeredIn(items: readonly unknown[]): ReadonlySet<unknown> {
  const ids = new Set<unknown>()
  for (const item of items) {
    const type = own(item, 'type')
    if (typeof type === 'string' && type.endsWith('_output')) ids.add(own(item, 'call_id'))
  }
  return ids
}

function draftOf(item: JsonObject, kind: CallKind, ended: boolean): Draft {
  const input = item[kind.args]
  return {
    id: item['call_id'],
    name: item['name'] ?? kind.name,
    text: textOf(input),
    arguments: readArguments(input, kind),
    ended,
  }
}

function readArguments(input: unknown, kind: CallKind): unknown {
  if (kind.call === 'custom_tool_call') return typeof input === 'string' ? input : undefined
  if (typeof input === 'string') return argumentsOf(input)
  if (input === undefined && kind.call === 'function_call') return {}
  return isObject(input) ? input : undefined
}

function withArguments(item: JsonObject, kind: CallKind): JsonObject {
  return kind.call === 'function_call' && !item[kind.args] ? withKey(item, kind.args, '{}') : item
}

function isEmpty(message: JsonObject): boolean {
  const { content } = message
  if (!Array.isArray(content)) return !content
  return content.every((part) => own(part, 'type') === 'output_text' && own(part, 'text') === '')
}
