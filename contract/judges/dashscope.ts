/**
 * Qwen on DashScope (docs/rejections.md#dashscope): OpenAI's texts with double quotes and a prefix.
 */

import { argumentsOf, callsOf, chatShape, messagesOf, missingRule, pairFaults } from './chat.ts'
import { parsesAsJson } from './json.ts'
import { contentKind } from './openai-chat-content.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

function invalid(rule: string, fault: string): Rejection {
  return { rule, message: `<400> InternalError.Algo.InvalidParameter: ${fault}` }
}

/**
 * The field is required, `null` is accepted (docs/rejections.md#dashscope-content-missing). The text of
 * docs/rejections.md#openai-content-shape comes without the prefix.
 */
function content({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, { content }] of messagesOf(body).entries()) {
    if (content === undefined) return invalid('content-missing', 'The content field is a required field.')
    if (content !== null && typeof content !== 'string' && !Array.isArray(content)) return contentKind(i, content)
  }
  return undefined
}

/** docs/rejections.md#dashscope-tool-calls-empty-array: the text has no prefix. */
function callsEmpty({ body }: JudgedRequest): Rejection | undefined {
  const empty = messagesOf(body).some(({ tool_calls }) => Array.isArray(tool_calls) && tool_calls.length === 0)
  if (!empty) return undefined
  return { rule: 'tool-calls-empty-array', message: 'Empty tool_calls is not supported in message' }
}

/** docs/rejections.md#dashscope-tool-arguments-not-json. */
function callArguments({ body }: JudgedRequest): Rejection | undefined {
  for (const { call } of callsOf(body)) {
    const text = argumentsOf(call)
    if (typeof text !== 'string' || parsesAsJson(text)) continue
    return invalid(
      'tool-arguments-not-json',
      'The "function.arguments" parameter of the code model must be in JSON format.',
    )
  }
  return undefined
}

/**
 * tool-result-missing, -not-adjacent (an index where OpenAI has ids), -orphan
 * (docs/rejections.md#dashscope-tool-result-missing, docs/rejections.md#dashscope-tool-result-orphan).
 */
function pairing({ body }: JudgedRequest): Rejection | undefined {
  for (const fault of pairFaults(body)) {
    if (fault.fault === 'missing')
      return invalid(
        missingRule(fault),
        `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[${fault.at}].role`,
      )
    if (fault.fault === 'orphan')
      return invalid(
        'tool-result-orphan',
        'messages with role "tool" must be a response to a preceeding message with "tool_calls".',
      )
  }
  return undefined
}

export const dashscopeCheck = inOrder(chatShape, content, callsEmpty, callArguments, pairing)
