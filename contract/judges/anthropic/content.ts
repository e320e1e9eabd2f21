/**
 * Anthropic: the content of messages, and how the list begins and ends.
 */

import { isBlank, type Json, listAt, textAt } from '../json.ts'
import { isNewClaude, isOldClaude, thinkingType } from '../models.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, reject } from './blocks.ts'
import { messagesOf } from './shape.ts'

/** Measured by others (docs/rejections.md#anthropic-first-not-user). */
export function firstNotUser({ body }: JudgedRequest): Rejection | undefined {
  const first = messagesOf(body).find((message) => message.role !== 'system')
  // A signed summary stands in the place of the messages that it summarizes.
  if (first?.role !== 'assistant' || textAt(listAt(first, 'content')[0], 'type') === 'compaction') return undefined
  return reject('first-not-user', 'messages: first message must use the "user" role')
}

/** docs/rejections.md#anthropic-system-message-position: documented, text not seen. */
export function systemPosition({ body, model }: JudgedRequest): Rejection | undefined {
  if (!isNewClaude(model)) return undefined
  const messages = messagesOf(body)
  for (const [i, message] of messages.entries()) {
    // What changes the tools applies from its place on.
    if (message.role !== 'system') continue
    if (listAt(message, 'content').some((block) => /^tool_(?:addition|removal)$/.test(textAt(block, 'type')))) continue
    if (messages[i - 1]?.role === 'assistant')
      return reject(
        'system-message-position',
        `messages.${i}: a "system" message must not directly follow an "assistant" message`,
      )
    if (messages[i + 1]?.role === 'user')
      return reject(
        'system-message-position',
        `messages.${i}: a "system" message must not directly precede a "user" message`,
      )
  }
  return undefined
}

/** docs/rejections.md#anthropic-content-empty: an empty user message; an empty assistant message is accepted. */
export function contentEmpty({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, { role, content }] of messagesOf(body).entries()) {
    if (role !== 'user') continue
    if (content === '' || (Array.isArray(content) && content.length === 0))
      return reject(
        'content-empty',
        `messages.${i}: all messages must have non-empty content except for the optional final assistant message`,
      )
  }
  for (const { type, block } of blocksOf(body)) {
    if (type === 'text' && block.text === '')
      return reject('content-empty', 'messages: text content blocks must be non-empty')
  }
  return undefined
}

/** Of blank texts only a single space was accepted, by an older model (docs/rejections.md#anthropic-text-blank). */
export function textBlank({ body, model }: JudgedRequest): Rejection | undefined {
  const rejection = reject('text-blank', 'messages: text content blocks must contain non-whitespace text')
  for (const { content } of messagesOf(body)) {
    if (typeof content === 'string' && content !== '' && isBlank(content)) return rejection
  }
  for (const { type, role, block } of blocksOf(body)) {
    if (type !== 'text' || !isBlank(textAt(block, 'text'))) continue
    if (block.text === ' ' && role === 'assistant' && (model === undefined || isOldClaude(model))) continue
    return rejection
  }
  return undefined
}

/** docs/rejections.md#anthropic-last-assistant-prefill: Claude 4.6 and later, except for a paused reply. */
export function prefill({ body, model }: JudgedRequest): Rejection | undefined {
  const last = messagesOf(body).at(-1)
  if (!isNewClaude(model) || last?.role !== 'assistant' || isPaused(last.content)) return undefined
  return reject('last-assistant-prefill', PREFILL)
}

/** Its last block belongs to a tool that the service runs. */
function isPaused(content: unknown): boolean {
  const type = Array.isArray(content) ? textAt(content.at(-1), 'type') : ''
  return /^(server_tool_use|mcp_tool_use|.+_tool_result)$/.test(type)
}

export const PREFILL =
  'This model does not support assistant message prefill. The conversation must end with a user message.'

/** docs/rejections.md#anthropic-thinking-last: in every assistant message, also in the last one. */
export function thinkingLast({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(({ role, content }) => {
    const type = Array.isArray(content) ? textAt(content.at(-1), 'type') : ''
    return role === 'assistant' && (type === 'thinking' || type === 'redacted_thinking')
  })
  if (i < 0) return undefined
  return reject('thinking-last', `messages.${i}: The final block in an assistant message cannot be \`thinking\`.`)
}

/** docs/rejections.md#anthropic-trailing-whitespace. */
export function trailingWhitespace({ body }: JudgedRequest): Rejection | undefined {
  const last = messagesOf(body).at(-1)
  if (last?.role !== 'assistant') return undefined
  const { content } = last
  const block = Array.isArray(content) ? content.at(-1) : undefined
  const text = Array.isArray(content) ? textAt(block, 'type') === 'text' && textAt(block, 'text') : content
  if (typeof text !== 'string' || text.trimEnd() === text) return undefined
  return reject('trailing-whitespace', TRAILING_WHITESPACE)
}

export const TRAILING_WHITESPACE = 'messages: final assistant content cannot end with trailing whitespace'

/** docs/rejections.md#disputed-role-alternation: only Bedrock Invoke requires alternation of roles. */
export function roleOrder({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  // The text is about two roles; a system message in the list is another fault (role-unknown).
  const speaks = (role: unknown) => role === 'user' || role === 'assistant'
  const again = messages.find(
    (message, i) =>
      speaks(message.role) && message.role === messages[i - 1]?.role && !isTextAfterResults(message, messages[i - 1]),
  )
  if (!again) return undefined
  return reject(
    'role-order',
    `messages: roles must alternate between "user" and "assistant", but found multiple "${again.role}" roles in a row`,
  )
}

function isTextAfterResults(message: Json, before: Json | undefined): boolean {
  const results = Array.isArray(before?.content) ? before.content : []
  if (results.length === 0 || !results.every((block) => textAt(block, 'type') === 'tool_result')) return false
  return message.role === 'user' && (typeof message.content === 'string' || !hasResult(message.content))
}

function hasResult(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => textAt(block, 'type') === 'tool_result')
}

/**
 * docs/rejections.md#anthropic-thinking-block-missing-before-tool-use. Only `enabled` requires it: adaptive thinking
 * may omit it in a turn. Neighboring assistant messages count as one turn here, too.
 */
export function thinkingFirst({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  if (thinkingType(body) !== 'enabled') return undefined
  const last = messages.findLastIndex((message) => message.role === 'assistant')
  let first = last
  while (messages[first - 1]?.role === 'assistant') first--
  const turn = messages.slice(Math.max(first, 0), last + 1)
  const blocks = turn.flatMap(({ content }) => (Array.isArray(content) ? content : content ? [{ type: 'text' }] : []))
  const found = textAt(blocks[0], 'type')
  if (!blocks.some((block) => textAt(block, 'type') === 'tool_use') || found.endsWith('thinking')) return undefined
  return reject('thinking-block-missing-before-tool-use', thinkingExpected(first, found))
}

export function thinkingExpected(i: number, found: string): string {
  return `messages.${i}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`
}
