/**
 * Providers of the OpenAI format with few constraints of their own: GLM, xAI, Groq, Cerebras, Perplexity
 * (docs/rejections.md#zhipu and the sections after it).
 * None of them is known to pair calls with results (docs/rejections.md#not-seen-no-report).
 */

import { chatShape, hasCalls, messagesOf, successiveAt } from './chat.ts'
import { isAbsent, isObject } from './json.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'
import { strictJson } from './surrogates.ts'

/**
 * GLM, no-user-message (docs/rejections.md#zhipu-no-user-message): the text gives no reason. The Chinese host has the
 * same text in Chinese.
 */
function noUserMessage(request: JudgedRequest): Rejection | undefined {
  if (chatShape(request) === undefined && messagesOf(request.body).some(({ role }) => role === 'user')) return undefined
  const chinese = request.headers?.host?.includes('bigmodel.cn') ?? false
  return {
    rule: chatShape(request)?.rule ?? 'no-user-message',
    message: chinese
      ? 'messages 参数非法。请检查文档。'
      : 'The messages parameter is illegal. Please check the documentation.',
    code: '1214',
  }
}

/**
 * xAI, content-empty (docs/rejections.md#xai-content-empty): `[]` always; no content or only empty text in a message
 * without calls.
 */
function xaiContent({ body }: JudgedRequest): Rejection | undefined {
  for (const message of messagesOf(body)) {
    const { content } = message
    const calls = hasCalls(message)
    const none = Array.isArray(content) ? content.length === 0 : isAbsent(content) && !calls
    if (none)
      return {
        rule: 'content-empty',
        message: 'Invalid request content: Each message must have at least one content element.',
      }
    if (!calls && isEmpty(content))
      return {
        rule: 'content-empty',
        message: 'An empty message was provided. Every message needs at least one non-empty content element.',
      }
  }
  return undefined
}

function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return content === ''
  return content.every((part) => isObject(part) && part.type === 'text' && (isAbsent(part.text) || part.text === ''))
}

/** Groq, content-missing (docs/rejections.md#groq-content-missing). An assistant turn may omit it (recorded). */
function groqContent({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, { role, content }] of messagesOf(body).entries()) {
    if (role === 'assistant' || content !== undefined) continue
    return {
      rule: 'content-missing',
      message: `'messages.${i}' : for 'role:${role}' the following must be satisfied[('messages.${i}.content' : property 'content' is missing)]`,
    }
  }
  return undefined
}

/**
 * Cerebras, content-null and reasoning-content-forbidden (docs/rejections.md#cerebras-content-null,
 * docs/rejections.md#cerebras-reasoning-content-forbidden). Its rejection of orphan results is spurious (one report):
 * not judged.
 */
function cerebrasMessages({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    if (message.content === null)
      return { rule: 'content-null', message: "'NoneType' object is not iterable", code: 'wrong_api_format' }
    // The text is about the property, with any value.
    if (message.reasoning_content === undefined) continue
    const at = `messages.${i}.${message.role}.reasoning_content`
    return { rule: 'reasoning-content-forbidden', message: `${at}: property '${at}' is unsupported` }
  }
  return undefined
}

/**
 * Perplexity, role-order (docs/rejections.md#perplexity-role-order). Only neighbors are judged: there is only one
 * report each about the positions of system messages and results.
 */
function alternating({ body }: JudgedRequest): Rejection | undefined {
  if (successiveAt(body) < 0) return undefined
  return {
    rule: 'role-order',
    message: 'After the (optional) system message(s), user and assistant roles should be alternating.',
    type: 'invalid_message',
  }
}

export const zhipuCheck = noUserMessage
export const xaiCheck = inOrder(chatShape, xaiContent)
export const groqCheck = inOrder(chatShape, groqContent)
export const cerebrasCheck = inOrder(strictJson, chatShape, cerebrasMessages)
export const perplexityCheck = inOrder(chatShape, alternating)
