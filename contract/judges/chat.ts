/**
 * What every provider of the OpenAI chat format shares: reading the list, and pairing calls with results by position.
 * Each provider has its own texts and its own selection of these faults.
 */

import { field, isAbsent, isObject, type Json, kindOf, listAt, textAt } from './json.ts'
import type { JudgedRequest, Rejection } from './rejection.ts'

export function messagesOf(body: unknown): readonly Json[] {
  return listAt(body, 'messages') as readonly Json[]
}

export interface Call {
  readonly i: number
  readonly j: number
  readonly id: string
  readonly call: Json
}

export function* callsOf(body: unknown): Generator<Call> {
  for (const [i, message] of messagesOf(body).entries()) yield* callsIn(message, i)
}

function* callsIn(message: unknown, i: number): Generator<Call> {
  for (const [j, call] of callList(message).entries()) {
    if (isObject(call)) yield { i, j, id: textAt(call, 'id'), call }
  }
}

export function hasCalls(message: unknown): boolean {
  return callList(message).length > 0
}

/** No content, or only empty texts. */
export function isEmptyContent(content: unknown): boolean {
  if (!Array.isArray(content)) return isAbsent(content) || content === ''
  return content.every((part) => textAt(part, 'type') === 'text' && (field(part, 'text') ?? '') === '')
}

/** The index where a second user turn, or a second assistant turn, follows the first; -1: nowhere. */
export function successiveAt(body: unknown): number {
  const messages = messagesOf(body)
  return messages.findIndex(
    ({ role }, i) => (role === 'user' || role === 'assistant') && messages[i - 1]?.role === role,
  )
}

/** A tool message cannot call, neither as `tool` nor as `function`: calls there are not read. */
function callList(message: unknown): readonly unknown[] {
  return callsNobody(message) ? [] : listAt(message, 'tool_calls')
}

/** The format itself, in OpenAI's words. Checks after it can rely on messages being objects. */
export function chatShape({ body }: JudgedRequest): Rejection | undefined {
  if (!isObject(body)) return wrongType('body', 'an object', body)
  if (body.messages === undefined) return { ...missing('messages'), rule: 'messages-empty' }
  if (!Array.isArray(body.messages)) return wrongType('messages', 'an array of objects', body.messages)
  if (body.messages.length === 0) return MESSAGES_EMPTY
  for (const [i, message] of body.messages.entries()) {
    if (!isObject(message)) return wrongType(`messages[${i}]`, 'an object', message)
    if (typeof message.role !== 'string') return missing(`messages[${i}].role`)
    const calls = message.tool_calls
    if (calls === undefined || calls === null || callsNobody(message)) continue
    if (!Array.isArray(calls)) return wrongType(`messages[${i}].tool_calls`, 'an array of objects', calls)
    const j = calls.findIndex((call) => !isObject(call))
    if (j >= 0) return wrongType(`messages[${i}].tool_calls[${j}]`, 'an object', calls[j])
  }
  return undefined
}

/** docs/rejections.md#openai-messages-empty. */
const MESSAGES_EMPTY: Rejection = {
  rule: 'messages-empty',
  message: "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  param: 'messages',
  code: 'empty_array',
}

export function missing(param: string): Rejection {
  return {
    rule: 'message-shape',
    message: `Missing required parameter: '${param}'.`,
    param,
    code: 'missing_required_parameter',
  }
}

export function wrongType(param: string, expected: string, got: unknown): Rejection {
  return {
    rule: 'message-shape',
    message: `Invalid type for '${param}': expected ${expected}, but got ${kindOf(got)} instead.`,
    param,
    code: 'invalid_type',
  }
}

export type PairFault =
  /** `at`: the index where a tool message was expected. */
  | { readonly fault: 'missing'; readonly at: number; readonly ids: readonly string[]; readonly elsewhere: boolean }
  | { readonly fault: 'orphan'; readonly at: number; readonly id: string }
  /** `first`: the earlier result with the same id. */
  | { readonly fault: 'duplicate'; readonly at: number; readonly first: number; readonly id: string }

/**
 * The faults of pairing, in order: results are right after the message that calls, in any order, before anything else.
 * By position, so an id may be used again in a later turn (docs/rejections.md#disputed-id-reuse).
 */
export function* pairFaults(body: unknown): Generator<PairFault> {
  const messages = messagesOf(body)
  const results = new Set(messages.filter(isTool).map((message) => textAt(message, 'tool_call_id')))
  let calls = new Set<string>()
  let answered = new Map<string, number>()
  for (const [at, message] of [...messages, undefined].entries()) {
    if (message && isTool(message)) {
      const id = textAt(message, 'tool_call_id')
      if (!calls.has(id)) yield { fault: 'orphan', at, id }
      // Two calls without ids are not duplicates: no rejection is known (docs/rejections.md#not-seen-no-report).
      else if (id !== '' && answered.has(id)) yield { fault: 'duplicate', at, first: answered.get(id)!, id }
      if (!answered.has(id)) answered.set(id, at)
      continue
    }
    const ids = [...calls].filter((id) => !answered.has(id))
    if (ids.length > 0) yield { fault: 'missing', at, ids, elsewhere: ids.every((id) => results.has(id)) }
    calls = new Set([...callsIn(message, at)].map(({ id }) => id))
    answered = new Map()
  }
}

function isTool(message: unknown): boolean {
  return field(message, 'role') === 'tool'
}

function callsNobody(message: unknown): boolean {
  return isTool(message) || field(message, 'role') === 'function'
}

/** The rule for a call without its result. */
export function missingRule(fault: { readonly elsewhere: boolean }): string {
  return fault.elsewhere ? 'tool-result-not-adjacent' : 'tool-result-missing'
}

/**
 * Two calls of one message with the same id. An id that is used again in a later turn is disputed
 * (docs/rejections.md#disputed-id-reuse), so it is not judged.
 */
export function callIdTwice(body: unknown): Call | undefined {
  let seen = new Set<string>()
  let message = -1
  for (const call of callsOf(body)) {
    if (call.i !== message) seen = new Set()
    message = call.i
    if (call.id !== '' && seen.has(call.id)) return call
    seen.add(call.id)
  }
  return undefined
}

export function argumentsOf(call: Json): unknown {
  return field(call.function, 'arguments')
}
