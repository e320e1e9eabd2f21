/**
 * OpenAI Responses (docs/rejections.md#openai-responses), the schema: items, their content, their fields and ids.
 */

import { missing, wrongType } from '../chat.ts'
import { isAbsent, isObject, type Json, kindOf } from '../json.ts'
import { emptyString, tooLong } from '../openai-chat.ts'
import { partText } from '../openai-chat-content.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { continues, itemsOf, KINDS, typeOf } from './items.ts'

/** The list may be a string, or absent if the provider stores the conversation. */
export function responsesShape({ body }: JudgedRequest): Rejection | undefined {
  if (!isObject(body)) return wrongType('body', 'an object', body)
  const { input } = body
  if (typeof input === 'string') return undefined
  if (isAbsent(input)) return continues(body) || !isAbsent(body.prompt) ? undefined : missing('input')
  if (!Array.isArray(input)) return wrongType('input', 'a string or a list', input)
  for (const [i, item] of input.entries()) {
    if (!isObject(item)) return wrongType(`input[${i}]`, 'an object', item)
    if (typeOf(item) === 'message' && typeof item.type !== 'string' && typeof item.role !== 'string')
      return missing(`input[${i}].type`)
  }
  return undefined
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant'])

/** A type, if present, is a string. */
export function itemType({ body }: JudgedRequest): Rejection | undefined {
  const i = itemsOf(body).findIndex(({ type }) => !isAbsent(type) && typeof type !== 'string')
  return i < 0 ? undefined : wrongType(`input[${i}].type`, 'a string', itemsOf(body)[i]?.type)
}

/** The role of a message is one of the four in the schema. */
export function messageRole({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    if (typeOf(item) !== 'message' || ROLES.has(String(item.role))) continue
    return {
      rule: 'role-unknown',
      message: `Invalid value: '${item.role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      param: `input[${i}].role`,
      code: 'invalid_value',
    }
  }
  return undefined
}

/** docs/rejections.md#openai-responses-content-null, docs/rejections.md#openai-responses-content-part-direction */
export function messageContent({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    if (typeOf(item) !== 'message' || typeof item.content === 'string') continue
    const { content } = item
    if (!Array.isArray(content)) return contentKind(i, content)
    for (const [j, part] of content.entries()) {
      const at = `input[${i}].content[${j}]`
      if (!isObject(part)) return { ...wrongType(at, 'an object', part), rule: 'content-shape' }
      if (typeof part.type !== 'string') return { ...missing(`${at}.type`), rule: 'content-shape' }
      if (item.role === 'assistant' && part.type === 'input_text') return wrongDirection(at)
      if (part.type === 'text') return chatPart(at)
      if (/^(input|output)_text$/.test(part.type) && typeof part.text !== 'string') return partText(at, part.text)
    }
  }
  return undefined
}

function contentKind(i: number, content: unknown): Rejection {
  const param = `input[${i}].content`
  if (content === undefined) return { ...missing(param), rule: 'content-missing' }
  return {
    rule: content === null ? 'content-null' : 'content-shape',
    message: `Invalid type for '${param}': expected a string or a list, but got ${kindOf(content)} instead.`,
    param,
    code: 'invalid_type',
  }
}

/** content-part-direction: the text part of the chat API. Many reports, from OpenAI and Copilot. */
function chatPart(param: string): Rejection {
  return {
    rule: 'content-part-direction',
    message:
      "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'.",
    param,
    code: 'invalid_value',
  }
}

/** reasoning-summary-missing: AAswordman/Operit#797, lidge-jun/opencodex#4673. */
export function reasoningSummary({ body }: JudgedRequest): Rejection | undefined {
  const i = itemsOf(body).findIndex((item) => typeOf(item) === 'reasoning' && !Array.isArray(item.summary))
  return i < 0 ? undefined : { ...missing(`input[${i}].summary`), rule: 'reasoning-summary-missing' }
}

function wrongDirection(param: string): Rejection {
  return {
    rule: 'content-part-direction',
    message: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    param,
    code: 'invalid_value',
  }
}

/**
 * docs/rejections.md#openai-responses-tool-call-id-empty, docs/rejections.md#openai-responses-tool-call-id-too-long.
 */
export function callIds({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    const type = typeOf(item)
    if (!KINDS.some(({ call, output }) => type === call || type === output)) continue
    const param = `input[${i}].call_id`
    const id = item.call_id
    if ((id ?? undefined) === undefined && isNamed(item)) continue
    if (typeof id !== 'string') return { ...missing(param), rule: 'tool-call-id-empty' }
    if (id === '') return emptyString(param)
    if (id.length > 64) return tooLong(param, 64, id.length)
  }
  return undefined
}

/** A function's output may name its tool instead of a call (types of openai-node 7.55: `call_id?: string | null`). */
export function isNamed(item: Json): boolean {
  return typeOf(item) === 'function_call_output' && typeof item.name === 'string' && item.name !== ''
}

/** docs/rejections.md#openai-responses-tool-call-name-invalid: calls by name have one. */
export function callNames({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    const type = typeOf(item)
    if (type !== 'function_call' && type !== 'custom_tool_call') continue
    const param = `input[${i}].name`
    if (typeof item.name !== 'string') return { ...missing(param), rule: 'tool-call-name-invalid' }
    if (item.name === '') return { ...emptyString(param), rule: 'tool-call-name-invalid' }
  }
  return undefined
}

/** docs/rejections.md#openai-responses-tool-result-shape: an output item has an output. */
export function outputs({ body }: JudgedRequest): Rejection | undefined {
  const i = itemsOf(body).findIndex(
    (item) => KINDS.some(({ output }) => output === typeOf(item)) && isAbsent(item.output),
  )
  return i < 0 ? undefined : { ...missing(`input[${i}].output`), rule: 'tool-result-shape' }
}

/** Blocks of the chat and Messages APIs, and of tool servers. A type that is in no API may be newer than this list. */
const FOREIGN = new Set(['text', 'output_text', 'image', 'image_url', 'input_audio', 'file', 'resource'])

/**
 * tool-result-shape: an output may be a string or these blocks (API reference: input_text, input_image, input_file).
 */
export function outputParts({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    if (!KINDS.some(({ output }) => output === typeOf(item)) || !Array.isArray(item.output)) continue
    const j = item.output.findIndex((part) => isObject(part) && FOREIGN.has(String(part.type)))
    if (j < 0) continue
    const type = (item.output[j] as { type: string }).type
    return {
      rule: 'tool-result-shape',
      message: `Invalid value: '${type}'. Supported values are: 'input_text', 'input_image', and 'input_file'.`,
      param: `input[${i}].output[${j}]`,
      code: 'invalid_value',
    }
  }
  return undefined
}

/**
 * docs/rejections.md#openai-responses-unknown-field: the fields that were reported as rejected, by kind of item. Any
 * other field passes: it may be newer than this list (`internal_chat_message_metadata_passthrough`).
 */
const FIELDS = new Map(
  Object.entries({
    function_call: ['parsed_arguments', 'created_by'],
    function_call_output: ['created_by'],
    // The API returns a reasoning item with `status`, and rejects it with that field.
    reasoning: ['status'],
  }).map(([type, fields]) => [type, new Set(fields)]),
)

export function unknownField({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    const rejected = FIELDS.get(typeOf(item))
    const extra = rejected && Object.keys(item).find((key) => rejected.has(key))
    if (extra === undefined) continue
    const param = `input[${i}].${extra}`
    return { rule: 'unknown-field', message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }
  }
  return undefined
}

/** docs/rejections.md#openai-responses-item-id-prefix. */
const PREFIXES = new Map([
  ['function_call', 'fc'],
  ['reasoning', 'rs'],
  ['message', 'msg'],
])

/** For messages (docs/rejections.md#openai-responses-item-id-prefix). */
const MESSAGE_ID: Rejection = {
  rule: 'item-id-prefix',
  message: "Invalid 'id': message id must be a string starting with 'msg_'",
  param: 'id',
}

export function itemIdPrefix({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    const prefix = PREFIXES.get(typeOf(item))
    if (prefix === undefined || typeof item.id !== 'string') continue
    if (item.id.startsWith(prefix)) {
      if (prefix === 'msg' && !item.id.startsWith('msg_')) return MESSAGE_ID
      continue
    }
    return {
      rule: 'item-id-prefix',
      message: `Invalid 'input[${i}].id': '${item.id}'. Expected an ID that begins with '${prefix}'.`,
      param: `input[${i}].id`,
      code: 'invalid_value',
    }
  }
  return undefined
}

/** docs/rejections.md#openai-responses-item-id-duplicate. */
export function itemIdDuplicate({ body }: JudgedRequest): Rejection | undefined {
  const seen = new Set<string>()
  for (const { id } of itemsOf(body)) {
    if (typeof id !== 'string' || id === '') continue
    if (seen.has(id))
      return {
        rule: 'item-id-duplicate',
        message: `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        param: 'input',
      }
    seen.add(id)
  }
  return undefined
}
