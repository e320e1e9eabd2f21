/**
 * Mistral, La Plateforme (docs/rejections.md#mistral).
 *
 * Not judged: a user message right after a tool message, which older reports name and a recording shows as accepted
 * (docs/rejections.md#accepted-mistral).
 */

import { callsOf, hasCalls, messagesOf } from './chat.ts'
import { isAbsent, isObject, textAt } from './json.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

/** Names that SDKs use for fields of the wire format. */
const ALIASES = ['toolCalls', 'toolCallId', 'callId', 'call_id']

/**
 * By role: fields of OpenAI's that were reported as rejected, or that the published schema excludes
 * (docs/rejections.md#mistral-unknown-field), and aliases of SDKs.
 * Any other field passes: it may be newer than this list.
 */
const FIELDS = new Map(
  Object.entries({
    system: ['name', 'tool_calls', 'tool_call_id'],
    user: ['name', 'tool_calls', 'tool_call_id'],
    assistant: ['name', 'function_call', 'refusal', 'audio', 'annotations', 'reasoning_content'],
    tool: [],
  }).map(([role, fields]) => [role, new Set<string>([...fields, ...ALIASES])]),
)
const CALL_FIELDS = new Set(['name', 'arguments', 'tool_call_id', 'toolCallId', 'callId'])

/** The schema, as a pydantic `detail`. */
function shape({ body }: JudgedRequest): Rejection | undefined {
  if (!isObject(body)) return detail('message-shape', 'model_type', 'Input should be a valid dictionary', ['body'])
  const { messages } = body
  const at = ['body', 'messages'] as const
  if (messages === undefined) return detail('messages-empty', 'missing', 'Field required', at)
  if (!Array.isArray(messages)) return detail('message-shape', 'list_type', 'Input should be a valid list', at)
  if (messages.length === 0)
    return { rule: 'messages-empty', message: 'Conversation must have at least one message', code: '3230' }
  for (const [i, message] of messages.entries()) {
    if (!isObject(message))
      return detail('message-shape', 'model_attributes_type', 'Input should be a valid dictionary', [...at, i])
    if (!FIELDS.has(textAt(message, 'role')))
      return detail(
        'role-unknown',
        'union_tag_invalid',
        "Input tag found using 'role' does not match any of the expected tags",
        [...at, i],
      )
    const calls = message.tool_calls
    if (!isAbsent(calls) && !(Array.isArray(calls) && calls.every(isObject)))
      return detail('message-shape', 'list_type', 'Input should be a valid list', [...at, i, 'assistant', 'tool_calls'])
    const fault = contentFault(message.content)
    if (fault) return detail('content-shape', ...fault, [...at, i, textAt(message, 'role'), 'content'])
  }
  return undefined
}

/** A string or a list of typed chunks; no report about an empty list. */
function contentFault(content: unknown): readonly [type: string, message: string] | undefined {
  if (isAbsent(content) || typeof content === 'string') return undefined
  if (!Array.isArray(content)) return ['string_type', 'Input should be a valid string']
  for (const chunk of content) {
    if (!isObject(chunk)) return ['model_attributes_type', 'Input should be a valid dictionary']
    if (typeof chunk.type !== 'string')
      return ['union_tag_not_found', "Unable to extract tag using discriminator 'type'"]
    if (chunk.type === 'text' && typeof chunk.text !== 'string')
      return ['string_type', 'Input should be a valid string']
  }
  return undefined
}

function detail(rule: string, type: string, message: string, at: readonly (string | number)[]): Rejection {
  return { rule, status: 422, type, message, at }
}

/** docs/rejections.md#mistral-unknown-field, docs/rejections.md#mistral-reasoning-content-forbidden. */
function unknownField({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const role = textAt(message, 'role')
    const extra = Object.keys(message).find((key) => FIELDS.get(role)?.has(key))
    if (extra) return forbidden(extra, ['body', 'messages', i, role, extra])
  }
  for (const { i, j, call } of callsOf(body)) {
    const extra = Object.keys(call).find((key) => CALL_FIELDS.has(key))
    if (extra) return forbidden(extra, ['body', 'messages', i, 'assistant', 'tool_calls', j, extra])
  }
  return undefined
}

function forbidden(name: string, at: readonly (string | number)[]): Rejection {
  const rule = name === 'reasoning_content' ? 'reasoning-content-forbidden' : 'unknown-field'
  return detail(rule, 'extra_forbidden', 'Extra inputs are not permitted', at)
}

/**
 * docs/rejections.md#mistral-tool-call-id-format. No id at all has no report against it
 * (docs/rejections.md#not-seen-no-report).
 */
function callIds({ body }: JudgedRequest): Rejection | undefined {
  const calls = [...callsOf(body)].map(({ id }) => id)
  const results = messagesOf(body).flatMap((message) =>
    message.role === 'tool' ? [textAt(message, 'tool_call_id')] : [],
  )
  const id = [...calls, ...results].find((id) => id !== '' && !/^[a-zA-Z0-9]{9}$/.test(id))
  if (id === undefined) return undefined
  return {
    rule: 'tool-call-id-format',
    message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
  }
}

/**
 * docs/rejections.md#mistral-tool-result-orphan, docs/rejections.md#mistral-tool-result-count-mismatch: a turn of
 * results has one for each call of the turn before it.
 */
function pairing({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  let calls: string[] = []
  let results: string[] = []
  for (const [i, message] of messages.entries()) {
    const before = messages[i - 1]
    if (message.role === 'tool') {
      if (before?.role !== 'tool' && !hasCalls(before)) return unexpected('tool', textAt(before, 'role'))
      results.push(textAt(message, 'tool_call_id'))
      continue
    }
    if (!sameIds(calls, results)) return COUNT_MISMATCH
    calls = hasCalls(message) ? idsOf(message) : []
    results = []
  }
  // A list that ends with calls ends with the assistant: `lastAssistant` judges it.
  return messages.at(-1)?.role !== 'assistant' && !sameIds(calls, results) ? COUNT_MISMATCH : undefined
}

function idsOf(message: unknown): string[] {
  return [...callsOf({ messages: [message] })].map(({ id }) => id)
}

/** Results may be in any order; if an id is missing, only the number counts. */
function sameIds(calls: readonly string[], results: readonly string[]): boolean {
  if (calls.length !== results.length) return false
  // The same id twice is two calls: no rejection is known (docs/rejections.md#not-seen-no-report).
  const left = new Map<string, number>()
  for (const id of calls) left.set(id, (left.get(id) ?? 0) + 1)
  return results.every((id) => {
    if (id === '' || left.has('')) return true
    const count = left.get(id) ?? 0
    left.set(id, count - 1)
    return count > 0
  })
}

const COUNT_MISMATCH: Rejection = {
  rule: 'tool-result-count-mismatch',
  message: 'Not the same number of function calls and responses',
}

function unexpected(role: string, after: string): Rejection {
  return {
    rule: 'tool-result-orphan',
    message: after === '' ? `Unexpected role '${role}'` : `Unexpected role '${role}' after role '${after}'`,
    type: 'invalid_request_message_order',
    code: '3230',
  }
}

/** docs/rejections.md#mistral-last-assistant-prefill. */
function lastAssistant({ body }: JudgedRequest): Rejection | undefined {
  const last = messagesOf(body).findLast(({ role }) => role !== 'system')
  if (last?.role !== 'assistant' || last.prefix === true) return undefined
  return {
    rule: 'last-assistant-prefill',
    message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    type: 'invalid_request_message_order',
    code: '3230',
  }
}

export const mistralCheck = inOrder(shape, unknownField, callIds, pairing, lastAssistant)
/** Another server with Mistral's template: pairing and order, not the schema, which is the server's own. */
export const mistralOrder = inOrder(callIds, pairing, lastAssistant)
