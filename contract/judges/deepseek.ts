/**
 * DeepSeek (docs/rejections.md#deepseek): chat, and what is known about its Messages and Responses endpoints.
 */

import { reject } from './anthropic/blocks.ts'
import { callIdDuplicate as blockIdDuplicate, pairing as blockPairing } from './anthropic/pairing.ts'
import { messagesShape } from './anthropic/shape.ts'
import { callIdTwice, hasCalls, messagesOf, missingRule, pairFaults, successiveAt } from './chat.ts'
import { field, isAbsent, isObject, type Json, listAt, textAt } from './json.ts'
import { thinks } from './models.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'
import { itemsOf, KINDS, typeOf } from './responses/items.ts'
import { responsesPairing } from './responses/order.ts'
import { responsesShape } from './responses/schema.ts'

const ROLES = ['system', 'user', 'assistant', 'tool', 'developer']
const EXPECTED = '`system`, `user`, `assistant`, `tool`'

/** role-unknown and field errors (docs/rejections.md#deepseek-role-unknown): 422 with the text of its JSON parser. */
function deserialize({ body }: JudgedRequest): Rejection | undefined {
  const messages = field(body, 'messages')
  if (messages === undefined) return unreadable('messages-empty', 'missing field `messages`')
  if (!Array.isArray(messages)) return unreadable('message-shape', 'messages: invalid type, expected a sequence')
  if (messages.length === 0) return unreadable('messages-empty', 'messages: invalid length 0')
  for (const [i, message] of messages.entries()) {
    const at = `messages[${i}]`
    if (!isObject(message)) return unreadable('message-shape', `${at}: invalid type, expected a map`)
    if (typeof message.role !== 'string') return unreadable('message-shape', `${at}: missing field \`role\``)
    if (!ROLES.includes(message.role))
      return unreadable('role-unknown', `${at}.role: unknown variant \`${message.role}\`, expected one of ${EXPECTED}`)
    const fault = contentFault(message.content)
    if (fault) return unreadable('content-shape', `${at}.content${fault}`)
    const calls = message.role === 'tool' ? undefined : message.tool_calls
    if (!isAbsent(calls) && !(Array.isArray(calls) && calls.every(isObject)))
      return unreadable('message-shape', `${at}.tool_calls: invalid type, expected a sequence`)
    const j = (calls ?? []).findIndex((call: Json) => typeof field(call.function, 'name') !== 'string')
    if (j >= 0) return unreadable('tool-call-name-invalid', `${at}.tool_calls[${j}].function: missing field \`name\``)
  }
  return undefined
}

/** A string, or a list of typed parts. */
function contentFault(content: unknown): string | undefined {
  if (isAbsent(content) || typeof content === 'string') return undefined
  if (!Array.isArray(content)) return ': invalid type, expected a string or a sequence'
  for (const [j, part] of content.entries()) {
    if (!isObject(part)) return `[${j}]: invalid type, expected a map`
    if (typeof part.type !== 'string') return `[${j}]: missing field \`type\``
    if (part.type === 'text' && typeof part.text !== 'string') return `[${j}]: missing field \`text\``
  }
  return undefined
}

function unreadable(rule: string, fault: string): Rejection {
  return { rule, status: 422, message: `Failed to deserialize the JSON body into the target type: ${fault}` }
}

/** docs/rejections.md#deepseek-tool-call-id-duplicate. */
function callIdDuplicate({ body }: JudgedRequest): Rejection | undefined {
  const twice = callIdTwice(body)
  return twice && duplicate('tool-call-id-duplicate', twice.id, twice.i)
}

function duplicate(rule: string, id: string, i: number): Rejection {
  return reject(rule, `Duplicate value for 'tool_call_id' of ${id} in message[${i}]`)
}

/**
 * tool-result-missing, -not-adjacent, -orphan (docs/rejections.md#deepseek-tool-result-missing and the rows near it);
 * tool-result-duplicate has the text of a repeated id.
 */
function pairing({ body }: JudgedRequest): Rejection | undefined {
  for (const fault of pairFaults(body)) {
    switch (fault.fault) {
      case 'missing':
        return reject(
          missingRule(fault),
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
        )
      case 'orphan':
        return reject(
          'tool-result-orphan',
          "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        )
      case 'duplicate':
        return duplicate('tool-result-duplicate', fault.id, fault.at)
    }
  }
  return undefined
}

/** The text names the one model that it was reported for (docs/rejections.md#deepseek-role-order). */
function successive({ body, model }: JudgedRequest): Rejection | undefined {
  if (!model?.includes('deepseek-reasoner')) return undefined
  const i = successiveAt(body)
  if (i < 0) return undefined
  return reject(
    'role-order',
    `deepseek-reasoner does not support successive user or assistant messages (messages[${i - 1}] and messages[${i}] in your input). You should interleave the user/assistant messages in the message sequence.`,
  )
}

/**
 * docs/rejections.md#deepseek-reasoning-content-missing: turns with calls (docs; whether others need it is disputed:
 * docs/rejections.md#disputed-deepseek-scope). An empty string is enough.
 */
function reasoningMissing({ body, model }: JudgedRequest): Rejection | undefined {
  if (!thinks(model, body)) return undefined
  const i = messagesOf(body).findIndex(
    (message) => message.role === 'assistant' && hasCalls(message) && isAbsent(message.reasoning_content),
  )
  if (i < 0) return undefined
  const v4 = /deepseek-v[4-9]/.test(model ?? '')
  return reject(
    'reasoning-content-missing',
    v4
      ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
      : `Missing \`reasoning_content\` field in the assistant message at message index ${i}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`,
  )
}

/** reasoning-content-missing on the Messages endpoint (docs/rejections.md#deepseek-reasoning-content-missing). */
function thinkingMissing({ body, model }: JudgedRequest): Rejection | undefined {
  if (!thinks(model, body)) return undefined
  const bare = messagesOf(body).some((message) => {
    const blocks = listAt(message, 'content')
    const thought = blocks.some((block) => textAt(block, 'type') === 'thinking' && !isAbsent(field(block, 'thinking')))
    return message.role === 'assistant' && !thought && blocks.some((block) => textAt(block, 'type') === 'tool_use')
  })
  if (!bare) return undefined
  return reject(
    'reasoning-content-missing',
    'The content[].thinking in the thinking mode must be passed back to the API',
  )
}

/**
 * reasoning-content-missing on the Responses endpoint (docs/rejections.md#deepseek-reasoning-content-missing): a turn
 * with calls and no reasoning, since the last prompt (before it: recorded as accepted).
 */
function reasoningTextMissing({ body, model }: JudgedRequest): Rejection | undefined {
  if (!thinks(model, body)) return undefined
  const items = itemsOf(body)
  const prompt = items.findLastIndex((item) => typeOf(item) === 'message' && item.role === 'user')
  let reasoned = false
  for (const item of items.slice(prompt + 1)) {
    const type = textAt(item, 'type')
    if (type === 'reasoning') reasoned = true
    else if (type.endsWith('_output')) reasoned = false
    else if (KINDS.some(({ call }) => call === type) && !reasoned)
      return reject(
        'reasoning-content-missing',
        'The reasoning_text in the thinking mode must be passed back to the API',
      )
  }
  return undefined
}

/**
 * tool-result-not-adjacent on the Responses endpoint (docs/rejections.md#deepseek-tool-result-not-adjacent): only
 * calls, reasoning and outputs between a call and its output.
 */
function interleaved({ body }: JudgedRequest): Rejection | undefined {
  const open = new Set<string>()
  for (const item of itemsOf(body)) {
    const type = typeOf(item)
    if (KINDS.some(({ call }) => call === type)) open.add(textAt(item, 'call_id'))
    else if (KINDS.some(({ output }) => output === type)) open.delete(textAt(item, 'call_id'))
    else if (type === 'message' && open.size > 0)
      return reject(
        'tool-result-not-adjacent',
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
      )
  }
  return undefined
}

export const deepseekChatCheck = inOrder(deserialize, callIdDuplicate, pairing, successive, reasoningMissing)
export const deepseekMessagesCheck = inOrder(messagesShape, blockIdDuplicate, blockPairing, thinkingMissing)
export const deepseekResponsesCheck = inOrder(responsesShape, responsesPairing, interleaved, reasoningTextMissing)
