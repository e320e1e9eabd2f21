/**
 * OpenAI Chat Completions: calls in `tool_calls`, each result a message of its own.
 * Reads the legacy `function_call` too, and the key shapes that old histories have.
 */
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
import { splitContent, textBlock, textOf, textUnderOtherKey, word } from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import { argumentsOf, otherArgumentKey, otherOutputKey, RESULT_KEYS } from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import { cleanUp, mergeMessages, modern } from './edited-messages.ts'
import { neutral } from './neutral.ts'
import { functionOf, nameOf, OTHER_LISTS, RESULT_IDS, wire } from './wire.ts'

const WHOLE = [] as const
/** A part with fields that are not named as on the wire. */
const ALIAS = 'alias'
const CONTENT = ['content'] as const
const CALLS = ['tool_calls'] as const
const OTHER_CALLS = OTHER_LISTS.map((key) => [key] as const)
const FUNCTION = ['function_call'] as const
const REASONING = ['reasoning_content'] as const

export const openaiChat: Dialect<'openai-chat'> = {
  id: 'openai-chat',
  key: 'messages',
  paths: /\/chat\/completions$/,
  resultPlacement: 'next-message',
  resultKeys: RESULT_KEYS,
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
  // A legacy `function_call` is answered by a `function` message, and by nothing else.
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
    parts.push(readResult(message, role, index))
    return 'tool'
  }
  if (
    role === 'assistant' ||
    message['tool_calls'] !== undefined ||
    (role === undefined && isObject(message['function_call']))
  )
    readAssistant(message, index, parts)
  else readContent(message['content'], index, parts)
  if (role === 'user' || role === 'assistant') return role
  return role === 'system' || role === 'developer' ? 'system' : 'unknown'
}

function readResult(message: JsonObject, role: string, index: number): Part {
  let id = word(message['tool_call_id'])
  // A legacy result has no id; with one it answers a call of today under the old role.
  let type = id !== undefined && role === 'function' ? ALIAS : role
  for (let i = 1; id === undefined && i < RESULT_IDS.length; i++) {
    id = word(message[RESULT_IDS[i]!])
    if (id !== undefined) type = ALIAS
  }
  const otherKey = otherOutputKey(message, 'content')
  if (otherKey !== undefined && role === 'tool') type = ALIAS
  const body = message[otherKey ?? 'content']
  return new Part('result', type, index, WHOLE, -1, message, id, word(message['name']), body)
}

function readAssistant(message: JsonObject, index: number, parts: Part[]): void {
  const reasoning = message['reasoning_content']
  if (reasoning !== undefined && reasoning !== null) {
    parts.push(
      new Part('reasoning', 'reasoning_content', index, REASONING, -1, reasoning, undefined, undefined, reasoning),
    )
  }
  readContent(message['content'], index, parts)
  readCalls(message['tool_calls'], CALLS, index, parts)
  for (const list of OTHER_CALLS) if (Array.isArray(message[list[0]])) readCalls(message[list[0]], list, index, parts)
  const legacy = message['function_call']
  if (isObject(legacy)) {
    parts.push(
      new Part(
        'call',
        'function_call',
        index,
        FUNCTION,
        -1,
        legacy,
        undefined,
        word(legacy['name']),
        legacy['arguments'],
      ),
    )
  }
}

function readContent(content: unknown, index: number, parts: Part[]): void {
  if (typeof content === 'string') {
    // An empty string beside calls is how most clients say nothing; it is no part.
    if (content !== '') parts.push(new Part('text', 'text', index, CONTENT, -1, content, undefined, undefined, content))
    return
  }
  if (!Array.isArray(content)) return
  for (let i = 0; i < content.length; i++) {
    const block: unknown = content[i]
    const type = isObject(block) ? wordOf(block['type']) : 'undefined'
    const kind =
      type === 'text' ? 'text' : type === 'image_url' || type === 'input_audio' || type === 'file' ? 'media' : 'opaque'
    parts.push(
      new Part(kind, type, index, CONTENT, i, block, undefined, undefined, isObject(block) ? block['text'] : undefined),
    )
  }
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

function readCall(call: JsonObject, list: readonly string[], index: number, i: number): Part {
  const inner = functionOf(call) ?? (isObject(call['custom']) ? call['custom'] : call)
  const isOwn = list === CALLS && (inner === call['function'] || inner === call['custom'])
  let id = word(call['id'])
  let type = call['custom'] === undefined ? 'function' : 'custom'
  if (id === undefined || !isOwn) {
    id ??= word(call['tool_call_id']) ?? word(call['toolCallId']) ?? word(call['callId'])
    type = ALIAS
  }
  const fields: JsonObject = inner
  if (type === 'function' && otherArgumentKey(fields, 'arguments') !== undefined) type = ALIAS
  const body = argumentsOf(fields, type === 'custom' ? 'input' : 'arguments')
  return new Part('call', type, index, list, i, call, id, nameOf(fields), body)
}

function textIn(block: JsonObject): string | undefined {
  if (typeof block['text'] === 'string' || block['type'] === 'text') return textOf(block['text'])
  return block['type'] === 'image_url' ? undefined : textOf(block)
}

function write(of: Part, value: unknown, change: Change): unknown {
  const object = value as JsonObject
  if ('text' in change) return typeof value === 'string' ? change.text : withKey(object, 'text', change.text)
  if ('result' in change) return withKey(object, 'content', change.result)
  if ('id' in change) return withKey(object, of.kind === 'result' ? keyIn(object, RESULT_IDS) : 'id', change.id)
  const inner = isObject(object['function']) ? 'function' : isObject(object['custom']) ? 'custom' : undefined
  const key = 'name' in change ? 'name' : inner === 'custom' ? 'input' : 'arguments'
  const now = 'name' in change ? change.name : change.arguments
  return inner ? withKey(object, inner, withKey(object[inner] as object, key, now)) : withKey(object, key, now)
}

function keyIn(object: JsonObject, keys: readonly string[]): string {
  return keys.find((key) => Object.hasOwn(object, key)) ?? keys[0]!
}

function callForm({ type }: Part): 'json' | 'text' {
  return type === 'custom' ? 'text' : 'json'
}
