/**
 * A, the schema: what a message and each kind of block must look like before anything is said about their order.
 */

import { isAbsent, isObject, type Json, textAt } from '../json.ts'
import { isOldClaude } from '../models.ts'
import type { Asked, Refusal } from '../refusal.ts'
import { type Block, blocksOf, refuse } from './blocks.ts'
import { resultContent } from './results.ts'

const SHAPE = 'Input does not match the expected shape.'

export function messagesShape({ body }: Asked): Refusal | undefined {
  if (!isObject(body)) return refuse('message-shape', SHAPE)
  const { messages } = body
  if (messages === undefined) return refuse('messages-empty', 'messages: Field required')
  if (!Array.isArray(messages)) return refuse('message-shape', 'messages: Input should be a valid list')
  if (messages.length === 0) return refuse('messages-empty', 'messages: at least one message is required')
  for (const [i, message] of messages.entries()) {
    const refusal = messageShape(message, i)
    if (refusal) return refusal
  }
  return undefined
}

function messageShape(message: unknown, i: number): Refusal | undefined {
  if (!isObject(message)) return refuse('message-shape', `messages.${i}: ${SHAPE}`)
  if (typeof message.role !== 'string') return refuse('message-shape', `messages.${i}.role: Field required`)
  const { content } = message
  if (content === undefined) return refuse('content-missing', `messages.${i}.content: Field required`)
  if (typeof content === 'string') return undefined
  if (!Array.isArray(content)) return refuse('content-shape', `messages.${i}: ${SHAPE}`)
  for (const [j, block] of content.entries()) {
    if (!isObject(block)) return refuse('content-shape', `messages.${i}.content.${j}: ${SHAPE}`)
    if (typeof block.type !== 'string')
      return refuse('content-shape', `messages.${i}.content.${j}.type: Field required`)
  }
  return undefined
}

/** role-unknown (A); §10: `role: system` inside the list is legal on newer models. */
export function roleUnknown({ body, model }: Asked): Refusal | undefined {
  for (const message of messagesOf(body)) {
    if (message.role === 'user' || message.role === 'assistant') continue
    if (message.role !== 'system')
      return refuse(
        'role-unknown',
        `messages: Unexpected role "${message.role}". Allowed roles are "user" or "assistant"`,
      )
    if (isOldClaude(model))
      return refuse(
        'role-unknown',
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      )
  }
  return undefined
}

/**
 * unknown-field (A, §11): the fields that were reported as rejected, on a message and on a block. Any other field passes: it may be newer
 * than this list, or under a beta header (`output_config` on a system message, §11).
 */
const MESSAGE_FIELDS = new Set([
  // What an answer has.
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
  // What messages of other dialects have.
  'reasoning_details',
  'reasoning_content',
  'reasoning',
  'name',
  'tool_calls',
  'tool_call_id',
])
const ADDED = ['index', 'parsed', 'parsed_output']
// `tool_use.caller` is in the table as rejected, and was recorded as accepted: §10 wins.
const BLOCK_FIELDS = new Map(
  Object.entries({
    text: [...ADDED, 'id', 'annotations'],
    tool_use: ADDED,
    thinking: [...ADDED, 'cache_control'],
    redacted_thinking: [...ADDED, 'cache_control'],
  }).map(([type, fields]) => [type, new Set(fields)]),
)

export function unknownField({ body }: Asked): Refusal | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const extra = Object.keys(message).find((key) => MESSAGE_FIELDS.has(key))
    if (extra) return refuse('unknown-field', `messages.${i}.${extra}: Extra inputs are not permitted`)
  }
  for (const { type, block, at } of blocksOf(body)) {
    const rejected = BLOCK_FIELDS.get(String(type))
    const extra = rejected && Object.keys(block).find((key) => rejected.has(key))
    if (extra === undefined) continue
    // cache-control-on-thinking (A) is this same refusal for one field.
    const rule = extra === 'cache_control' ? 'cache-control-on-thinking' : 'unknown-field'
    return refuse(rule, `${at}.${type}.${extra}: Extra inputs are not permitted`)
  }
  return undefined
}

/** The fields a block must carry. */
export function blockFields({ body }: Asked): Refusal | undefined {
  for (const block of blocksOf(body)) {
    const refusal = FIELDS_OF.get(String(block.type))?.(block)
    if (refusal) return refusal
  }
  return undefined
}

const FIELDS_OF = new Map<string, (block: Block) => Refusal | undefined>([
  ['text', textFields],
  ['tool_use', callFields],
  ['tool_result', resultFields],
  ['thinking', thinkingFields],
])

function textFields({ block, at }: Block): Refusal | undefined {
  return typeof block.text === 'string' ? undefined : refuse('content-shape', `${at}.text.text: Field required`)
}

/** tool-call-id-format, tool-call-id-empty (the same text, §2), tool-arguments-not-object (A). */
function callFields({ block, at }: Block): Refusal | undefined {
  const { id, name, input } = block
  if (typeof id !== 'string') return refuse('tool-call-id-empty', `${at}.tool_use.id: Field required`)
  if (!/^[a-zA-Z0-9_-]+$/.test(id))
    return refuse(
      id === '' ? 'tool-call-id-empty' : 'tool-call-id-format',
      `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
    )
  const badName = nameFault(name, `${at}.tool_use.name`)
  if (badName) return badName
  if (input === undefined) return refuse('tool-arguments-not-object', `${at}.tool_use.input: Field required`)
  if (!isObject(input))
    return refuse('tool-arguments-not-object', `${at}.tool_use.input: Input should be a valid dictionary`)
  return undefined
}

/** tool-call-name-invalid (§11): at least one character, at most 200; the limit of 64 in older reports is from 2024. */
function nameFault(name: unknown, at: string): Refusal | undefined {
  if (typeof name !== 'string') return refuse('tool-call-name-invalid', `${at}: Field required`)
  if (name === '') return refuse('tool-call-name-invalid', `${at}: String should have at least 1 character`)
  if (name.length > 200) return refuse('tool-call-name-invalid', `${at}: String should have at most 200 characters`)
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return undefined
  return refuse('tool-call-name-invalid', `${at}: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`)
}

function resultFields({ block, at }: Block): Refusal | undefined {
  if (typeof block.tool_use_id !== 'string')
    return refuse('tool-call-id-empty', `${at}.tool_result.tool_use_id: Field required`)
  return resultContent(block.content, `${at}.tool_result.content`)
}

/** thinking-signature-missing, thinking-text-missing; an empty text is complete, an empty signature verifies nothing (A). */
function thinkingFields({ block, at }: Block): Refusal | undefined {
  if (isAbsent(block.signature)) return refuse('thinking-signature-missing', `${at}.thinking.signature: Field required`)
  if (isAbsent(block.thinking)) return refuse('thinking-text-missing', `${at}.thinking.thinking: Field required`)
  if (textAt(block, 'signature') === '')
    return refuse('thinking-signature-invalid', `${at}: Invalid \`signature\` in \`thinking\` block`)
  return undefined
}

/** beta-field-without-header (A): judged only when the headers are known. */
export function betaField({ body, headers }: Asked): Refusal | undefined {
  if (!headers || !isObject(body) || isAbsent(body.context_management)) return undefined
  if (headers['anthropic-beta']?.includes('context-management')) return undefined
  return refuse('beta-field-without-header', 'context_management: Extra inputs are not permitted')
}

export function messagesOf(body: unknown): readonly Json[] {
  const list = isObject(body) ? body.messages : undefined
  return Array.isArray(list) ? list : []
}
