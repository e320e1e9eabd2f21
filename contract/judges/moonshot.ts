/** Moonshot (docs/rejections.md#moonshot). Results without a call: docs/rejections.md#not-seen-no-report. */

import { chatShape, hasCalls, isEmptyContent, messagesOf, missingRule, pairFaults } from './chat.ts'
import { isAbsent } from './json.ts'
import { thinks } from './models.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

/** docs/rejections.md#moonshot-content-empty: messages with calls and tool messages may be empty. */
function contentEmpty({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex((message) => {
    const { role, content } = message
    return isEmptyContent(content) && role !== 'tool' && role !== 'function' && !hasCalls(message)
  })
  if (i < 0) return undefined
  const { role } = messagesOf(body)[i]!
  return {
    rule: 'content-empty',
    message: `Invalid request: the message at position ${i} with role '${role}' must not be empty`,
  }
}

/** docs/rejections.md#moonshot-tool-result-missing: the text begins in lower case. */
function pairing({ body }: JudgedRequest): Rejection | undefined {
  for (const fault of pairFaults(body)) {
    if (fault.fault !== 'missing') continue
    return {
      rule: missingRule(fault),
      message: `an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${fault.ids.join(', ')}`,
    }
  }
  return undefined
}

/** docs/rejections.md#moonshot-reasoning-content-missing: only turns with calls. */
function reasoningMissing({ body, model }: JudgedRequest): Rejection | undefined {
  if (!thinks(model, body)) return undefined
  const i = messagesOf(body).findIndex(
    (message) => message.role === 'assistant' && hasCalls(message) && isAbsent(message.reasoning_content),
  )
  if (i < 0) return undefined
  return {
    rule: 'reasoning-content-missing',
    message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${i}`,
  }
}

export const moonshotCheck = inOrder(chatShape, contentEmpty, pairing, reasoningMissing)
