/**
 * Anthropic, the schema: what a message and each kind of block must look like. Checked before their order.
 */

import { isAbsent, isObject, type Json, textAt } from '../json.ts'
import { isOldClaude } from '../models.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { type Block, blocksOf, reject } from './blocks.ts'
import { resultContent } from './results.ts'

const SHAPE = 'Input does not match the expected shape.'

export function messagesShape({ body }: JudgedRequest): Rejection | undefined {
  if (!isObject(body)) return reject('message-shape', SHAPE)
  const { messages } = body
  if (messages === undefined) return reject('messages-empty', 'messages: Field required')
  if (!Array.isArray(messages)) return reject('message-shape', 'messages: Input should be a valid list')
  if (messages.length === 0) return reject('messages-empty', 'messages: at least one message is required')
  for (const [i, message] of messages.entries()) {
    const rejection = messageShape(message, i)
    if (rejection) return rejection
  }
  return undefined
}

function messageShape(message: unknown, i: number): Rejection | undefined {
  if (!isObject(message)) return reject('message-shape', `messages.${i}: ${SHAPE}`)
  if (typeof message.role !== 'string') return reject('message-shape', `messages.${i}.role: Field required`)
  const { content } = message
  // A message of the system may have settings alone.
  if (content === undefined && message.role === 'system' && isObject(message.output_config)) return undefined
  if (content === undefined) return reject('content-missing', `messages.${i}.content: Field required`)
  if (typeof content === 'string') return undefined
  if (!Array.isArray(content)) return reject('content-shape', `messages.${i}: ${SHAPE}`)
  for (const [j, block] of content.entries()) {
    if (!isObject(block)) return reject('content-shape', `messages.${i}.content.${j}: ${SHAPE}`)
    if (typeof block.type !== 'string')
      return reject('content-shape', `messages.${i}.content.${j}.type: Field required`)
  }
  return undefined
}

/** Newer models accept `role: system` inside the list (docs/rejections.md#anthropic-role-unknown). */
export function roleUnknown({ body, model }: JudgedRequest): Rejection | undefined {
  for (const message of messagesOf(body)) {
    if (message.role === 'user' || message.role === 'assistant') continue
    if (message.role !== 'system')
      return reject(
        'role-unknown',
        `messages: Unexpected role "${message.role}". Allowed roles are "user" or "assistant"`,
      )
    if (isOldClaude(model))
      return reject(
        'role-unknown',
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      )
  }
  return undefined
}

/**
 * docs/rejections.md#anthropic-unknown-field: the fields that were reported as rejected, on a message and on a block.
 * Any other field passes: it may be newer than this list, or under a beta header (`output_config` on a system message).
 */
const MESSAGE_FIELDS = new Set([
  // Fields of an answer.
  'id',
  'type',
  'model',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
  'container',
  'context_management',
  'diagnostics',
  'input_transformations',
  // Fields of messages of other dialects.
  'reasoning_details',
  'reasoning_content',
  'reasoning',
  'name',
  'tool_calls',
  'tool_call_id',
])
const ADDED = ['index', 'parsed', 'parsed_output']
// `tool_use.caller` was reported as rejected and recorded as accepted; the recording wins
// (docs/rejections.md#accepted-anthropic).
const BLOCK_FIELDS = new Map(
  Object.entries({
    text: [...ADDED, 'id', 'annotations'],
    tool_use: ADDED,
    thinking: [...ADDED, 'cache_control'],
    redacted_thinking: [...ADDED, 'cache_control'],
  }).map(([type, fields]) => [type, new Set(fields)]),
)

export function unknownField({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const extra = Object.keys(message).find((key) => MESSAGE_FIELDS.has(key))
    if (extra) return reject('unknown-field', `messages.${i}.${extra}: Extra inputs are not permitted`)
  }
  for (const { type, block, at } of blocksOf(body)) {
    const rejected = BLOCK_FIELDS.get(String(type))
    const extra = rejected && Object.keys(block).find((key) => rejected.has(key))
    if (extra === undefined) continue
    // docs/rejections.md#anthropic-cache-control-on-thinking is this same rejection for one field.
    const rule = extra === 'cache_control' ? 'cache-control-on-thinking' : 'unknown-field'
    return reject(rule, `${at}.${type}.${extra}: Extra inputs are not permitted`)
  }
  return undefined
}

/** The required fields of a block. */
export function blockFields({ body }: JudgedRequest): Rejection | undefined {
  for (const block of blocksOf(body)) {
    const rejection = FIELDS_OF.get(String(block.type))?.(block)
    if (rejection) return rejection
  }
  return undefined
}

const FIELDS_OF = new Map<string, (block: Block) => Rejection | undefined>([
  ['text', textFields],
  ['tool_use', callFields],
  ['tool_result', resultFields],
  ['thinking', thinkingFields],
])

function textFields({ block, at }: Block): Rejection | undefined {
  return typeof block.text === 'string' ? undefined : reject('content-shape', `${at}.text.text: Field required`)
}

/** docs/rejections.md#anthropic-tool-call-id-format, docs/rejections.md#anthropic-tool-arguments-not-object. */
function callFields({ block, at }: Block): Rejection | undefined {
  const { id, name, input } = block
  if (typeof id !== 'string') return reject('tool-call-id-empty', `${at}.tool_use.id: Field required`)
  if (!/^[a-zA-Z0-9_-]+$/.test(id))
    return reject(
      id === '' ? 'tool-call-id-empty' : 'tool-call-id-format',
      `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
    )
  const badName = nameFault(name, `${at}.tool_use.name`)
  if (badName) return badName
  if (input === undefined) return reject('tool-arguments-not-object', `${at}.tool_use.input: Field required`)
  if (!isObject(input))
    return reject('tool-arguments-not-object', `${at}.tool_use.input: Input should be a valid dictionary`)
  return undefined
}

/** docs/rejections.md#anthropic-tool-call-name-invalid: 1 to 200 characters. Reports of 64 are from 2024. */
function nameFault(name: unknown, at: string): Rejection | undefined {
  if (typeof name !== 'string') return reject('tool-call-name-invalid', `${at}: Field required`)
  if (name === '') return reject('tool-call-name-invalid', `${at}: String should have at least 1 character`)
  if (name.length > 200) return reject('tool-call-name-invalid', `${at}: String should have at most 200 characters`)
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return undefined
  return reject('tool-call-name-invalid', `${at}: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`)
}

function resultFields({ block, at }: Block): Rejection | undefined {
  if (typeof block.tool_use_id !== 'string')
    return reject('tool-call-id-empty', `${at}.tool_result.tool_use_id: Field required`)
  return resultContent(block.content, `${at}.tool_result.content`)
}

/**
 * An empty text is complete, an empty signature is not (docs/rejections.md#anthropic-thinking-signature-missing,
 * docs/rejections.md#anthropic-thinking-text-missing).
 */
function thinkingFields({ block, at }: Block): Rejection | undefined {
  if (isAbsent(block.signature)) return reject('thinking-signature-missing', `${at}.thinking.signature: Field required`)
  if (isAbsent(block.thinking)) return reject('thinking-text-missing', `${at}.thinking.thinking: Field required`)
  if (textAt(block, 'signature') === '')
    return reject('thinking-signature-invalid', `${at}: Invalid \`signature\` in \`thinking\` block`)
  return undefined
}

/** docs/rejections.md#anthropic-beta-field-without-header: judged only when the headers are known. */
export function betaField({ body, headers }: JudgedRequest): Rejection | undefined {
  if (!headers || !isObject(body) || isAbsent(body.context_management)) return undefined
  if (headers['anthropic-beta']?.includes('context-management')) return undefined
  return reject('beta-field-without-header', 'context_management: Extra inputs are not permitted')
}

export function messagesOf(body: unknown): readonly Json[] {
  const list = isObject(body) ? body.messages : undefined
  return Array.isArray(list) ? list : []
}
