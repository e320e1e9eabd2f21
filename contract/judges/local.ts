/**
 * Self-hosted servers (docs/rejections.md#local): llama.cpp, vLLM, Ollama. Most rejections come from the chat template.
 */

import { argumentsOf, callsOf, chatShape, hasCalls, messagesOf } from './chat.ts'
import { field, parsesAsJson } from './json.ts'
import { mistralOrder } from './mistral.ts'
import { hasMistralTemplate } from './models.ts'
import { type Check, inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

/**
 * docs/rejections.md#local-last-assistant-prefill: judged if the request itself switches thinking on; chat templates
 * differ too much to go by the model.
 */
function thinkingPrefill({ body }: JudgedRequest): Rejection | undefined {
  const thinks = field(field(body, 'chat_template_kwargs'), 'enable_thinking') === true
  if (!thinks || messagesOf(body).at(-1)?.role !== 'assistant') return undefined
  return {
    rule: 'last-assistant-prefill',
    message: 'Assistant response prefill is incompatible with enable_thinking.',
  }
}

/** docs/rejections.md#local-role-order. */
function twoAssistantsLast({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  if (messages.at(-1)?.role !== 'assistant' || messages.at(-2)?.role !== 'assistant') return undefined
  return { rule: 'role-order', message: 'Cannot have 2 or more assistant messages at the end of the list.' }
}

/** docs/rejections.md#local-tool-arguments-not-json: status 500, but the same every time. */
function callArguments({ body }: JudgedRequest): Rejection | undefined {
  for (const { call } of callsOf(body)) {
    const text = argumentsOf(call)
    if (typeof text === 'string' && !parsesAsJson(text))
      return {
        rule: 'tool-arguments-not-json',
        status: 500,
        type: 'server_error',
        message: 'Failed to parse tool call arguments as JSON',
      }
  }
  return undefined
}

/** Mistral's template: tool turns and the turns with their calls do not count (docs/rejections.md#local-role-order). */
function mistralTemplate({ body, model }: JudgedRequest): Rejection | undefined {
  if (!hasMistralTemplate(model)) return undefined
  const messages = messagesOf(body)
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages
  const counted = rest.filter((message) => message.role !== 'tool' && !hasCalls(message))
  if (counted.every(({ role }, i) => role === (i % 2 === 0 ? 'user' : 'assistant'))) return undefined
  return {
    rule: 'role-order',
    message: 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
  }
}

export const llamacppCheck = inOrder(chatShape, callArguments, mistralTemplate, twoAssistantsLast, thinkingPrefill)
/** The constraints of Mistral hold on vLLM, too (docs/rejections.md#mistral): ids, pairing and the end of the list. */
const mistralTemplateOrder: Check = (request) => (hasMistralTemplate(request.model) ? mistralOrder(request) : undefined)

export const vllmCheck = inOrder(chatShape, mistralTemplate, mistralTemplateOrder, thinkingPrefill)
export const ollamaCheck = inOrder(chatShape, twoAssistantsLast, thinkingPrefill)
