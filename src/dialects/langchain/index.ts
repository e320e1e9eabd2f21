import {
  type Change,
  type Dialect,
  isObject,
  type JsonObject,
  own,
  Part,
  type Role,
  signed,
  withKey,
  wordOf,
} from '../../core/index.ts'
import { isEmptyList, isNothing, readContent, splitContent, textBlock, textOf, word } from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import { RESULT_KEYS } from '../other-keys.ts'
import { syncCopies } from './copies.ts'
import { FLAT, type Form, fieldsOf, formOf, roleIn, SERIALIZED, STORED, withFields } from './forms.ts'
import { CLASSES, instancesLike, TYPES } from './instances.ts'
import { mergeMessages } from './merge.ts'
import { neutralIn } from './neutral.ts'

const WHOLE = [] as const
const SECOND = ['1'] as const
const MEDIA: readonly string[] = ['image_url', 'image', 'audio', 'input_audio', 'file', 'video', 'document', 'media']

/**
 * LangChain messages in all their forms; never imports LangChain.
 * New messages are written in the form of the history: among instances they are instances, too.
 */
export const langchain: Dialect<'langchain'> = make(FLAT)
const stored = make(STORED)
const serialized = make(SERIALIZED)

type Write = (role: 'user' | 'assistant' | 'tool', fields: JsonObject) => JsonObject

function make(form: Form, wrap: Write = (role, fields) => wrapIn(form, role, fields)): Dialect<'langchain'> {
  return {
    id: 'langchain',
    key: 'messages',
    // In-process: no request of its own goes over the wire.
    paths: /(?!)/,
    resultPlacement: 'anywhere',
    resultKeys: RESULT_KEYS,
    nativeMedia,
    neutral: neutralIn(form, wrap),
    read,
    messageId: (message) => (isObject(message) ? word(fieldsOf(message, formOf(message))['id']) : undefined),
    variantFor: suited,
    answer: (call, text, succeeded) => {
      const name = call.name === undefined ? {} : { name: call.name }
      return wrap('tool', {
        content: text,
        tool_call_id: call.id ?? '',
        ...name,
        status: succeeded ? 'success' : 'error',
      })
    },
    wrapResults: (results) => results,
    textMessage: (role, text, media = []) =>
      wrap(role, { content: media.length > 0 ? [textBlock(text), ...media] : text }),
    call: (_result, id, name) =>
      wrap('assistant', { content: '', tool_calls: [{ name, args: {}, id, type: 'tool_call' }] }),
    content: ({ body }) => splitContent(body, textIn),
    write,
    merge: mergeMessages,
    cleanUp: tidy,
  }
}

/**
 * The dialect that writes messages in the form of this history. LangChain cannot load a plain message among stored or
 * serialized ones, and a plain message among instances has no methods.
 */
function suited(history: readonly unknown[]): Dialect {
  const first = history.find(isObject)
  const form = first ? formOf(first) : FLAT
  if (form !== FLAT) return form === STORED ? stored : serialized
  const write = instancesLike(history)
  return write ? make(FLAT, write) : langchain
}

function wrapIn(form: Form, role: 'user' | 'assistant' | 'tool', fields: JsonObject): JsonObject {
  if (form === FLAT) return { role, ...fields }
  const all = { ...fields, additional_kwargs: {}, response_metadata: {} }
  if (form === STORED) return { type: TYPES[role], data: all }
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[role]], kwargs: all }
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return readLoose(message, index, parts)
  const form = formOf(message)
  const fields = fieldsOf(message, form)
  const role = roleIn(message, form)
  if (role === 'tool') {
    const failed = fields['status'] === 'error'
    const id = word(own(fields, 'tool_call_id'))
    const name = word(own(fields, 'name'))
    parts.push(new Part('result', 'tool', index, WHOLE, -1, message, fields['content'], id, name, false, failed))
    return role
  }
  const from = parts.length
  const { content } = fields
  // An empty string beside calls is not a part: LangChain always writes one.
  if (content !== '') readContent(content, form.content, index, parts, readBlock)
  if (role === 'assistant') {
    const blocks = parts.length
    readCalls(fields, form, index, parts)
    for (let k = from; k < blocks; k++) parts[k] = asCall(parts[k]!, parts, blocks)
  }
  return role
}

/** Blocks of providers that are calls; LangChain sends them unchanged. */
const CALL_BLOCKS: readonly string[] = ['tool_use', 'tool_call', 'function_call']

/** A block that is a call. It is a copy if a part from `calls` on has the same id. */
function asCall(part: Part, parts: readonly Part[], calls: number): Part {
  if (part.kind !== 'opaque' || !CALL_BLOCKS.includes(part.type) || !isObject(part.value)) return part
  const { value, type, message, list, index } = part
  const id = word(value['call_id']) ?? word(value['id'])
  for (let k = calls; k < parts.length; k++)
    if (parts[k]!.id === id) return new Part('opaque', type, message, list, index, value, undefined, undefined, type)
  const name = word(value['name'])
  return new Part('call', type, message, list, index, value, value[argumentsKey(value)], id, name)
}

function argumentsKey(call: JsonObject): string {
  return ['args', 'input', 'arguments'].find((key) => call[key] !== undefined) ?? 'args'
}

/** LangChain accepts a string as a prompt, and a pair of role and content as a message. */
function readLoose(message: unknown, index: number, parts: Part[]): Role {
  if (typeof message === 'string') {
    parts.push(new Part('text', 'text', index, WHOLE, -1, message, message))
    return 'user'
  }
  if (!Array.isArray(message) || message.length !== 2 || typeof message[1] !== 'string') return 'unknown'
  parts.push(new Part('text', 'text', index, SECOND, -1, message[1], message[1]))
  const role = roleIn({ type: message[0] }, FLAT)
  return role === 'tool' ? 'unknown' : role
}

function readBlock(block: unknown, message: number, index: number, list: readonly string[]): Part {
  if (!isObject(block)) return new Part('opaque', typeof block, message, list, index, block)
  const type = block['type']
  switch (type) {
    case 'text':
      return new Part('text', type, message, list, index, block, block['text'])
    case 'thinking':
    case 'reasoning':
    case 'redacted_thinking': {
      const body = block['thinking'] ?? block['reasoning'] ?? block['reasoningText']
      const sign = block['signature'] ?? block['data'] ?? undefined
      return signed(new Part('reasoning', type, message, list, index, block, body), sign)
    }
    default:
      return new Part(isMedia(block) ? 'media' : 'opaque', wordOf(type), message, list, index, block)
  }
}

/** `additional_kwargs` has the provider's own copy of the calls; it counts only where there is no other. */
function readCalls(fields: JsonObject, form: Form, message: number, parts: Part[]): void {
  const calls = fields['tool_calls']
  const isFilled = Array.isArray(calls) && calls.length > 0
  const list = isFilled ? calls : own(fields['additional_kwargs'], 'tool_calls')
  if (Array.isArray(list)) {
    const path = isFilled ? form.calls : form.raw
    for (let i = 0; i < list.length; i++) parts.push(readCall(list[i], path, message, i))
  }
  const invalid = fields['invalid_tool_calls']
  if (!Array.isArray(invalid)) return
  for (let i = 0; i < invalid.length; i++) {
    // LangChain sends it like other calls, so it needs a result.
    const call = readCall(invalid[i], form.invalid, message, i, 'invalid_tool_call')
    if (!parts.some(({ kind, id, message: of }) => kind === 'call' && of === message && id === call.id))
      parts.push(call)
    else parts.push(new Part('opaque', 'invalid_tool_call', message, form.invalid, i, invalid[i]))
  }
}

function readCall(call: unknown, list: readonly string[], message: number, index: number, type = 'tool_call'): Part {
  if (!isObject(call)) return new Part('opaque', typeof call, message, list, index, call)
  const inner = isObject(call['function']) ? call['function'] : call
  const body = own(inner, 'args') ?? own(inner, 'arguments')
  return new Part('call', type, message, list, index, call, body, word(call['id']), word(own(inner, 'name')))
}

function textIn(block: JsonObject): string | undefined {
  if (typeof block['text'] === 'string') return block['text']
  return isMedia(block) ? undefined : textOf(block)
}

function isMedia(block: JsonObject): boolean {
  return MEDIA.includes(wordOf(block['type']))
}

function write(of: Part, value: unknown, change: Change): unknown {
  if ('text' in change) return writeText(value, change.text)
  const object = value as JsonObject
  if (of.kind === 'result') {
    const form = formOf(object)
    if ('id' in change) return withFields(object, form, { tool_call_id: change.id })
    if ('name' in change) return withFields(object, form, { name: change.name })
    return 'result' in change ? withFields(object, form, { content: change.result }) : value
  }
  if ('id' in change) {
    return withKey(object, object['call_id'] === undefined ? 'id' : 'call_id', change.id)
  }
  const inner = object['function']
  const now = 'name' in change ? change.name : 'arguments' in change ? change.arguments : undefined
  if (!isObject(inner)) return withKey(object, 'name' in change ? 'name' : argumentsKey(object), now)
  return withKey(object, 'function', withKey(inner, 'name' in change ? 'name' : 'arguments', now))
}

function writeText(value: unknown, text: string): unknown {
  if (!isObject(value)) return text
  const key = ['thinking', 'reasoning', 'reasoningText'].find((name) => Object.hasOwn(value, name))
  return withKey(value, key ?? 'text', text)
}

/** Updates the copies of a call, and the fields with which an instance is serialized. */
function tidy(message: unknown, was?: unknown): unknown {
  if (!isObject(message)) return message === '' ? undefined : message
  const form = formOf(message)
  let now = message
  if (isObject(was) && formOf(was) === form) {
    now = withFields(message, form, syncCopies(fieldsOf(message, form), fieldsOf(was, form)), was)
  }
  const fields = fieldsOf(now, form)
  const content = fields['content']
  if (!isNothing(content) || roleIn(now, form) === 'tool') return now
  const calls = [fields['tool_calls'], own(fields['additional_kwargs'], 'tool_calls'), fields['invalid_tool_calls']]
  if (calls.every((list) => !Array.isArray(list) || isEmptyList(list))) return undefined
  return Array.isArray(content) ? withFields(now, form, { content: '' }) : now
}
