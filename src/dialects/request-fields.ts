/**
 * Fields of a request besides its history, under the keys of all dialects: no two dialects use one key for different
 * things.
 */
import { type Dialect, type JsonObject, own, withKey } from '../core/index.ts'

/**
 * The messages of a request. The Responses API accepts a plain text instead of a list; it counts as one user message.
 */
export function historyIn(body: JsonObject, { key }: Dialect): readonly unknown[] | undefined {
  const value = body[key]
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  return Array.isArray(value) ? value : undefined
}

/** The field that names a conversation which the provider stores, if the request has one. */
export function storedConversationKey(body: JsonObject): string | undefined {
  return ['previous_response_id', 'conversation'].find((name) => (body[name] ?? null) !== null)
}

/** The request asks for more than one reply. */
export function wantsSeveralReplies(body: JsonObject | undefined): boolean {
  const count = body && (body['n'] ?? own(body['generationConfig'], 'candidateCount'))
  return count !== undefined && count !== 1
}

export function isThinkingDisabled(body: JsonObject): boolean {
  return own(body['thinking'], 'type') === 'disabled'
}

export function withThinkingDisabled(body: JsonObject): JsonObject {
  return withKey(body, 'thinking', { type: 'disabled' })
}

/** Whether a schema error that names this variant is about this value: by its type or its role. */
export function isVariant(value: JsonObject, name: string): boolean {
  return value['type'] === name || value['role'] === name
}

/** Fields of messages and parts that hold content, calls or results, in any dialect. */
export const CONTENT_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'type',
  'content',
  'parts',
  'text',
  'thinking',
  'tool_calls',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'function',
  'function_call',
  'arguments',
  'input',
  'output',
  'functionCall',
  'functionResponse',
  'function_response',
  'args',
  'response',
])
