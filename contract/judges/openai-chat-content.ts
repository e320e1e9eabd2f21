/**
 * OpenAI Chat Completions (docs/rejections.md#openai): the content of a message.
 */

import { messagesOf, missing, wrongType } from './chat.ts'
import { field, isAbsent, isObject, kindOf, listAt, textAt } from './json.ts'
import { isBeforeGpt52 } from './models.ts'
import type { JudgedRequest, Rejection } from './rejection.ts'

/** docs/rejections.md#openai-content-null, docs/rejections.md#openai-content-shape, and the parts of an array. */
export function contentShape({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const { content } = message
    if (typeof content === 'string') continue
    if (isAbsent(content)) {
      if (mayLackContent(message)) continue
      return contentNull(i, content)
    }
    if (!Array.isArray(content)) return contentKind(i, content)
    for (const [j, part] of content.entries()) {
      const at = `messages[${i}].content[${j}]`
      if (!isObject(part)) return { ...wrongType(at, 'an object', part), rule: 'content-shape' }
      if (typeof part.type !== 'string') return { ...missing(`${at}.type`), rule: 'content-shape' }
      if (part.type === 'text' && typeof part.text !== 'string') return partText(at, part.text)
      if (!PART_TYPES.includes(part.type)) return partType(at, part.type)
    }
  }
  return undefined
}

/** Parts of another dialect (docs/rejections.md#openai-foreign-message). */
const PART_TYPES = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file']

function partType(at: string, type: string): Rejection {
  return {
    rule: 'content-shape',
    message: `Invalid value: '${type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`,
    param: `${at}.type`,
    code: 'invalid_value',
  }
}

/**
 * docs/rejections.md#openai-tool-result-multimodal-unsupported: models up to GPT-5.1, judged only when the model is
 * named.
 */
export function resultImage({ body, model }: JudgedRequest): Rejection | undefined {
  if (!isBeforeGpt52(model)) return undefined
  const i = messagesOf(body).findIndex(
    (message) =>
      message.role === 'tool' && listAt(message, 'content').some((part) => textAt(part, 'type') === 'image_url'),
  )
  if (i < 0) return undefined
  return {
    rule: 'tool-result-multimodal-unsupported',
    message: `Invalid 'messages[${i}]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.`,
    param: `messages[${i}]`,
    code: 'invalid_value',
  }
}

/** The `text` of a text part is a string. */
export function partText(at: string, text: unknown): Rejection {
  const rejection = text === undefined ? missing(`${at}.text`) : wrongType(`${at}.text`, 'a string', text)
  return { ...rejection, rule: 'content-shape' }
}

/** An assistant message may have no content if it has calls, a refusal or audio. */
function mayLackContent(message: unknown): boolean {
  if (textAt(message, 'role') !== 'assistant') return false
  const says = ['tool_calls', 'refusal', 'audio'].some((key) => !isAbsent(field(message, key)))
  return says || isObject(field(message, 'function_call'))
}

function contentNull(i: number, content: null | undefined): Rejection {
  if (content === undefined) return { ...missing(`messages[${i}].content`), rule: 'content-missing' }
  return {
    rule: 'content-null',
    message: "Invalid value for 'content': expected a string, got null.",
    param: `messages.[${i}].content`,
  }
}

/** docs/rejections.md#openai-content-shape: here the index follows a dot, unlike in other schema errors. */
export function contentKind(i: number, content: unknown): Rejection {
  return {
    rule: 'content-shape',
    message: `Invalid type for 'messages.[${i}].content': expected one of a string or array of objects, but got ${kindOf(content)} instead.`,
    param: `messages.[${i}].content`,
    code: 'invalid_type',
  }
}
