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
} from '../../core/index.ts'
import {
  isEmptyList,
  isNothing,
  joined,
  readContent,
  splitContent,
  textOf,
  textUnderOtherKey,
  word,
} from '../blocks.ts'
import { known } from '../known.ts'
import { nativeMedia } from '../native-media.ts'
import { otherIdKey, RESULT_KEYS } from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import {
  answerOf,
  type CallKind,
  callFamily,
  callFor,
  callForm,
  chunkText,
  isServers,
  kindOf,
  outputKey,
  outputOf,
  screenshot,
} from './items.ts'
import { neutral } from './neutral.ts'
import { isOldShell, lostType, wire, wireHalf } from './wire.ts'

const WHOLE = [] as const
const CONTENT = ['content'] as const

// No messageId: an item has its own id, and the id of its response is not in the list.
/**
 * OpenAI Responses: every message, reasoning, call and output is a separate item, paired by `call_id` at any position.
 * Tools that OpenAI runs itself are one item with both halves: opaque, never unanswered.
 */
export const openaiResponses: Dialect<'openai-responses'> = {
  id: 'openai-responses',
  key: 'input',
  paths: /\/responses$/,
  resultPlacement: 'anywhere',
  resultKeys: RESULT_KEYS,
  known: known('previousResponseId conversation'),
  nativeMedia,
  callForm: ({ type }) => callForm(type),
  items: true,
  declaredTools: ({ tools }) => namesIn(tools),
  declareTools: (_request, names) => ({
    key: 'tools',
    value: names.map((name) => ({ type: 'function', name, description: NOT_AVAILABLE, parameters: ANY_OBJECT })),
  }),
  previousKey: 'previous_response_id',
  itemId: (item) => (isObject(item) ? word(item['id']) : undefined),
  itemType,
  isReference: (item) => itemType(item) === 'item_reference',
  isRoleless: (item) =>
    isObject(item) &&
    !isMessage(item) &&
    (typeof item['type'] === 'string' || isBareReference(item) || lostType(item) !== undefined),
  foreignText: textUnderOtherKey('content'),
  holdsEarlierTurns: ({ request, history }) =>
    (request?.['previous_response_id'] ?? undefined) !== undefined ||
    (request?.['conversation'] ?? undefined) !== undefined ||
    history.some((item) => own(item, 'type') === 'item_reference' || isBareReference(item)),
  exemptCalls: (history) =>
    new Set(history.flatMap((item) => (own(item, 'async') === true ? (word(own(item, 'call_id')) ?? []) : []))),
  neutral,
  read,
  answer: answerOf,
  wrapResults: (results) => results,
  textMessage: (role, text, media = []) => ({
    role,
    content: media.length > 0 ? [textPart(role, text), ...media] : text,
  }),
  call: callFor,
  content,
  callType: ({ type }) => callFamily(type),
  // OpenAI accepts a function output as the result of a tool search.
  takesAnyResult: ({ type }) => type === 'tool_search_call',
  toWireShape: wire,
  write,
  merge: (first, second) => mergeItems(first as JsonObject, second as JsonObject),
  // Only a message can be empty: a call and an output always have content.
  cleanUp: (item) => (isMessage(item) && isNothing(item['content']) ? undefined : item),
}

function read(item: unknown, index: number, parts: Part[]): Role {
  if (!isObject(item)) return 'unknown'
  if (isMessage(item)) return readMessage(item, index, parts)
  const type = word(item['type'])
  if (type === 'reasoning') {
    const body = textsOf(item['summary']) ?? textsOf(item['content'])
    const sign = item['encrypted_content'] ?? undefined
    parts.push(signed(new Part('reasoning', type, index, WHOLE, -1, item, body), sign))
    return 'assistant'
  }
  const kind = kindOf(type ?? lostType(item))
  if (kind) return readHalf(item, wireHalf(item, kind), kind, index, parts)
  const name = type ?? (word(item['id']) === undefined ? 'unknown' : 'item_reference')
  const sealed = item['encrypted_content'] ?? undefined
  parts.push(signed(new Part('opaque', name, index, WHOLE, -1, item), sealed))
  return roleOfOther(item, type)
}

/** A call or an output. */
function readHalf(given: JsonObject, item: JsonObject, kind: CallKind, index: number, parts: Part[]): Role {
  const server = isServers(item, kind)
  const id = word(item['call_id'])
  const name = kind.name ?? word(item['name'])
  const aliased = item !== given
  if (item['type'] === kind.call) {
    const body = item[kind.args] ?? (kind.name === 'computer' ? item['actions'] : undefined)
    parts.push(new Part('call', kind.call, index, WHOLE, -1, given, body, id, name, server, false, aliased))
    return 'assistant'
  }
  const body = item[outputKey(kind.output)]
  const failed = item['status'] === 'failed' || item['status'] === 'incomplete'
  parts.push(new Part('result', kind.output, index, WHOLE, -1, given, body, id, name, server, failed, aliased))
  return server ? 'assistant' : 'tool'
}

/** An approval is the client's, but not a prompt. A reference mostly refers to an item of the model. */
function roleOfOther(item: JsonObject, type: string | undefined): Role {
  if (item['role'] !== undefined && !type?.endsWith('_call')) return roleOf(item['role'])
  // An empty type counts as an unknown type.
  if (type === undefined) return word(item['id']) === undefined && item['type'] !== '' ? 'unknown' : 'assistant'
  return type === 'mcp_approval_response' || type.endsWith('_call_output') ? 'tool' : 'assistant'
}

/** Without a type it is a message if it has a role, else a reference if it has an id. */
function itemType(item: unknown): string {
  if (!isObject(item)) return ''
  const type = item['type']
  if (typeof type === 'string') return type
  return item['role'] !== undefined ? 'message' : word(item['id']) === undefined ? '' : 'item_reference'
}

/** A reference may have an id and no type. */
function isBareReference(item: unknown): boolean {
  if (!isObject(item) || word(item['id']) === undefined) return false
  return Object.keys(item).every((key) => key === 'id' || (key === 'type' && item['type'] == null))
}

function isMessage(item: unknown): item is JsonObject {
  if (!isObject(item)) return false
  const type = item['type']
  return type === 'message' || ((type === undefined || type === null) && item['role'] !== undefined)
}

function readMessage(item: JsonObject, index: number, parts: Part[]): Role {
  readContent(item['content'], CONTENT, index, parts, readBlock)
  return roleOf(item['role'])
}

function roleOf(role: unknown): Role {
  if (role === 'user' || role === 'assistant') return role
  return role === 'system' || role === 'developer' ? 'system' : 'unknown'
}

function readBlock(block: unknown, message: number, index: number): Part {
  if (!isObject(block)) return new Part('opaque', typeof block, message, CONTENT, index, block)
  const type = block['type']
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return new Part('text', type, message, CONTENT, index, block, block['text'])
    case 'refusal':
      return new Part('text', type, message, CONTENT, index, block, block['refusal'])
    case 'input_image':
    case 'input_file':
    case 'input_audio':
    case 'computer_screenshot':
      return new Part('media', type, message, CONTENT, index, block)
    default:
      return new Part('opaque', word(type) ?? 'object', message, CONTENT, index, block)
  }
}

function textsOf(list: unknown): unknown {
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.length === 1 ? own(list[0], 'text') : list.map((block) => textOf(own(block, 'text'))).join('\n')
}

function content({ type, body, value }: Part): { text: string; media: readonly unknown[] } {
  if (type === 'computer_call_output') return { text: '', media: screenshot(body) }
  if (type === 'tool_search_output') return { text: isEmptyList(body) ? '' : textOf(body), media: [] }
  const { text, media } = splitContent(body, textIn)
  return { text: text === '' && type === 'apply_patch_call_output' ? textOf(own(value, 'status')) : text, media }
}

function textIn(block: JsonObject): string | undefined {
  const text = block['text'] ?? block['refusal']
  if (typeof text === 'string') return text
  if (block['type'] === 'input_image' || block['type'] === 'input_file') return undefined
  return Object.hasOwn(block, 'stdout') ? chunkText(block) : textOf(block)
}

function write(of: Part, value: unknown, change: Change): unknown {
  const object = value as JsonObject
  if ('text' in change) {
    if (typeof value === 'string') return change.text
    if (of.kind === 'reasoning') return withKey(object, 'summary', [{ type: 'summary_text', text: change.text }])
    return withKey(object, of.type === 'refusal' ? 'refusal' : 'text', change.text)
  }
  if ('id' in change) return writeId(object, change.id)
  // Built-in tools have no name: their type identifies them.
  if ('name' in change) return kindOf(of.type)?.name ? value : withKey(object, 'name', change.name)
  if ('arguments' in change) return withKey(object, kindOf(of.type)?.args ?? 'arguments', change.arguments)
  const key = outputKey(of.type)
  const result = typeof change.result === 'string' ? outputOf(of.type, change.result, object)[key] : change.result
  return withKey(object, key, result)
}

function writeId(item: JsonObject, id: string): JsonObject {
  if (isOldShell(item)) return withKey(withKey(item, 'id', undefined), 'call_id', id)
  return withKey(item, otherIdKey(item, 'call_id') ?? 'call_id', id)
}

/** Joins messages. An item of another kind is quoted in the text, so that nothing is lost. */
function mergeItems(first: JsonObject, second: JsonObject): JsonObject {
  const message = isMessage(first) ? first : isMessage(second) ? second : { role: 'assistant' }
  const one = isMessage(first) ? first['content'] : textOf(first)
  const two = isMessage(second) ? second['content'] : textOf(second)
  return withKey(message, 'content', joined(one, two, (text) => textPart(message['role'], text)) ?? '')
}

/** The model's text is `output_text`, other text `input_text`. The API rejects the reverse. */
function textPart(role: unknown, text: string): JsonObject {
  return { type: role === 'assistant' ? 'output_text' : 'input_text', text }
}
