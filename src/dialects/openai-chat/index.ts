import {
  type Change,
  type Dialect,
  isObject,
  type JsonObject,
  own,
  Part,
  type Role,
  withKey,
  wordOf,
} from '../../core/index.ts'
import { readContent, splitContent, textBlock, textOf, textUnderOtherKey, word } from '../blocks.ts'
import { known } from '../known.ts'
import { nativeMedia } from '../native-media.ts'
import { RESULT_KEYS } from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import { cleanUp, mergeMessages, modern } from './edited-messages.ts'
import { neutral } from './neutral.ts'
import { nameOf, OTHER_LISTS, wire, wireCall, wireResult } from './wire.ts'

const WHOLE = [] as const
const CONTENT = ['content'] as const
const CALLS = ['tool_calls'] as const
const OTHER_CALLS = OTHER_LISTS.map((key) => [key] as const)
const FUNCTION = ['function_call'] as const
const MEDIA = ['image_url', 'input_audio', 'file']
const REASONING = ['reasoning_content'] as const

/**
 * OpenAI Chat Completions: calls are in `tool_calls`, each result is a separate message.
 * Also reads the legacy `function_call`.
 */
export const openaiChat: Dialect<'openai-chat'> = {
  id: 'openai-chat',
  key: 'messages',
  paths: /\/chat\/completions$/,
  resultPlacement: 'next-message',
  resultKeys: RESULT_KEYS,
  known: known(),
  nativeMedia,
  callForm,
  cacheKey: 'cache_control',
  declaredTools: ({ tools, functions }) => [...namesIn(tools, 'function'), ...namesIn(functions)],
  declareTools: (_request, names) => ({
    key: 'tools',
    value: names.map((name) => ({
      type: 'function',
      function: { name, description: NOT_AVAILABLE, parameters: ANY_OBJECT },
    })),
  }),
  reasoningKeys: ['reasoning_content', 'reasoning', 'reasoning_details'],
  callLists: ['tool_calls', ...OTHER_LISTS],
  neutral,
  read,
  messageId: (message) => word(own(message, 'id')),
  foreignText: textUnderOtherKey('content'),
  fromLegacy: modern,
  answer: (call, text) =>
    call.type === 'function_call' && call.id === undefined
      ? { role: 'function', name: call.name ?? '', content: text }
      : { role: 'tool', tool_call_id: call.id ?? '', content: text },
  wrapResults: (results) => results,
  textMessage: (role, text, media = []) => ({ role, content: media.length > 0 ? [textBlock(text), ...media] : text }),
  call: (_result, id, name) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
  }),
  content: ({ body }) => splitContent(body, textIn),
  // Only a `function` message answers a legacy `function_call`.
  callType: ({ type, kind }) => (type === (kind === 'call' ? 'function_call' : 'function') ? 'legacy' : 'tool'),
  toWireShape: wire,
  write,
  merge: (first, second) => mergeMessages(first as JsonObject, second as JsonObject),
  cleanUp,
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return 'unknown'
  const role = message['role']
  if (role === 'tool' || role === 'function') {
    parts.push(readResult(message, index))
    return 'tool'
  }
  if (
    role === 'assistant' ||
    message['tool_calls'] !== undefined ||
    (role === undefined && isObject(message['function_call']))
  )
    readAssistant(message, index, parts)
  else readText(message['content'], index, parts)
  if (role === 'user' || role === 'assistant') return role
  return role === 'system' || role === 'developer' ? 'system' : 'unknown'
}

function readResult(message: JsonObject, index: number): Part {
  const wired = wireResult(message)
  const { role, tool_call_id: id, name, content } = wired
  const aliased = wired !== message
  const type = wordOf(role)
  return new Part('result', type, index, WHOLE, -1, message, content, word(id), word(name), false, false, aliased)
}

function readAssistant(message: JsonObject, index: number, parts: Part[]): void {
  const reasoning = message['reasoning_content']
  if (reasoning !== undefined && reasoning !== null) {
    parts.push(new Part('reasoning', 'reasoning_content', index, REASONING, -1, reasoning, reasoning))
  }
  readText(message['content'], index, parts)
  readCalls(message['tool_calls'], CALLS, index, parts)
  for (const list of OTHER_CALLS) if (Array.isArray(message[list[0]])) readCalls(message[list[0]], list, index, parts)
  const legacy = message['function_call']
  if (isObject(legacy)) {
    const { name, arguments: args } = legacy
    parts.push(new Part('call', 'function_call', index, FUNCTION, -1, legacy, args, undefined, word(name)))
  }
}

/** An empty string beside calls is not a part: most clients write one. */
function readText(content: unknown, index: number, parts: Part[]): void {
  if (content !== '') readContent(content, CONTENT, index, parts, readBlock)
}

function readBlock(block: unknown, message: number, index: number): Part {
  const type = isObject(block) ? wordOf(block['type']) : 'undefined'
  const kind = type === 'text' ? 'text' : MEDIA.includes(type) ? 'media' : 'opaque'
  return new Part(kind, type, message, CONTENT, index, block, isObject(block) ? block['text'] : undefined)
}

function readCalls(calls: unknown, list: readonly string[], index: number, parts: Part[]): void {
  if (calls === undefined || calls === null) return
  if (!Array.isArray(calls)) {
    parts.push(new Part('opaque', 'none', index, list, -1, calls))
    return
  }
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]
    if (!isObject(call)) {
      parts.push(new Part('opaque', typeof call, index, list, i, call))
      continue
    }
    parts.push(readCall(call, list, index, i))
  }
}

function readCall(given: JsonObject, list: readonly string[], index: number, i: number): Part {
  const call = wireCall(given)
  const isCustom = call['custom'] !== undefined
  const held = call['function'] ?? call['custom']
  const fields = isObject(held) ? held : call
  const body = fields[isCustom ? 'input' : 'arguments']
  const type = isCustom ? 'custom' : 'function'
  const aliased = call !== given || list !== CALLS
  return new Part('call', type, index, list, i, given, body, word(call['id']), nameOf(fields), false, false, aliased)
}

function textIn(block: JsonObject): string | undefined {
  if (typeof block['text'] === 'string' || block['type'] === 'text') return textOf(block['text'])
  return block['type'] === 'image_url' ? undefined : textOf(block)
}

function write(of: Part, value: unknown, change: Change): unknown {
  if ('text' in change) return typeof value === 'string' ? change.text : withKey(value as object, 'text', change.text)
  const given = value as JsonObject
  // A legacy `function_call` keeps its form.
  const object = of.kind === 'result' ? wireResult(given) : of.type === 'function_call' ? given : wireCall(given)
  if ('result' in change) return withKey(object, 'content', change.result)
  if ('id' in change) return withKey(object, of.kind === 'result' ? 'tool_call_id' : 'id', change.id)
  const inner = isObject(object['function']) ? 'function' : isObject(object['custom']) ? 'custom' : undefined
  const key = 'name' in change ? 'name' : inner === 'custom' ? 'input' : 'arguments'
  const now = 'name' in change ? change.name : change.arguments
  return inner ? withKey(object, inner, withKey(object[inner] as object, key, now)) : withKey(object, key, now)
}

function callForm({ type }: Part): 'json' | 'text' {
  return type === 'custom' ? 'text' : 'json'
}
