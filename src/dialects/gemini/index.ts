/**
 * Gemini generateContent: parts in every content, responses as parts of a user's content, ids where the model gives them.
 * Field names come in camel and in snake case; what is written keeps the case of what it answers.
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
} from '../../core/index.ts'
import { listOf, textOf, textUnderOtherKey, word } from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import {
  argumentsOf,
  mapChanged,
  otherArgumentKey,
  otherIdKey,
  otherOutputKey,
  RESULT_KEYS,
  withOwnKey,
} from '../other-keys.ts'
import { groupedNames, NOT_AVAILABLE } from '../tool-declarations.ts'
import { MARKS } from './mark-keys.ts'
import { neutral } from './neutral.ts'

const PARTS = ['parts'] as const
/** A call with its arguments under another key. */
const ALIAS = 'alias'
const MEDIA: readonly string[] = ['inlineData', 'fileData', 'inline_data', 'file_data']
/** Where a response keeps its text by custom. */
const TEXTS: readonly string[] = ['output', 'result', 'error', 'content']

export const gemini: Dialect<'gemini'> = {
  id: 'gemini',
  key: 'contents',
  paths: /:(stream)?generateContent$/i,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  nativeMedia,
  blocks: PARTS,
  declaredTools: groupedNames,
  declareTools: (_request, names) => ({
    key: 'tools',
    value: [{ functionDeclarations: names.map((name) => ({ name, description: NOT_AVAILABLE })) }],
  }),
  foreignText: textUnderOtherKey('parts'),
  withInstructions({ systemInstruction: was }, texts) {
    const added = texts.map((text) => ({ text }))
    return {
      key: 'systemInstruction',
      value: isObject(was) ? { ...was, parts: [...listOf(was['parts']), ...added] } : { parts: added },
    }
  },
  neutral,
  read,
  answer: (call, text, succeeded) => ({
    [call.type === 'function_call' ? 'function_response' : 'functionResponse']: {
      ...(call.id === undefined ? {} : { id: call.id }),
      name: call.name ?? '',
      response: succeeded ? { output: text } : { error: text },
    },
  }),
  wrapResults: (results) => (results.length === 0 ? [] : [{ role: 'user', parts: results }]),
  textMessage: (role, text, media = []) => ({
    role: role === 'assistant' ? 'model' : role,
    parts: [{ text }, ...media],
  }),
  call: (result, id, name) => ({
    role: 'model',
    parts: [{ [result.type === 'function_response' ? 'function_call' : 'functionCall']: { id, name, args: {} } }],
  }),
  content: (result) => ({ text: responseText(result.body), media: mediaOf(own(result.value, result.type)) }),
  toWireShape: wire,
  write,
  merge: (first, second) => withKey(first as object, 'parts', [...partsOf(first), ...partsOf(second)]),
  cleanUp: (content) => (isObject(content) && partsOf(content).every(saysNothing) ? undefined : content),
}

function read(content: unknown, index: number, parts: Part[]): Role {
  if (!isObject(content)) return 'unknown'
  const list = content['parts']
  let onlyResponses = false
  if (Array.isArray(list)) {
    onlyResponses = list.length > 0
    for (let i = 0; i < list.length; i++) {
      const one = readPart(list[i], index, i)
      if (one.kind !== 'result') onlyResponses = false
      parts.push(one)
    }
  } else if (isObject(list)) {
    // The service takes a single part for a list of one.
    const one = readPart(list, index, -1)
    onlyResponses = one.kind === 'result'
    parts.push(one)
  } else if (typeof list === 'string' && list !== '')
    parts.push(new Part('text', 'text', index, PARTS, -1, list, undefined, undefined, list))
  return roleOf(content['role'], onlyResponses)
}

/** `function` and `tool` are older names of a content of responses; no role means the user. */
function roleOf(role: unknown, onlyResponses: boolean): Role {
  switch (role) {
    case 'user':
    case undefined:
    case null:
      return 'user'
    case 'model':
      return 'assistant'
    case 'function':
      return onlyResponses ? 'tool' : 'user'
    case 'tool':
      return onlyResponses ? 'tool' : 'unknown'
    default:
      return role === 'system' ? role : 'unknown'
  }
}

function readPart(value: unknown, message: number, index: number): Part {
  if (!isObject(value)) return new Part('opaque', typeof value, message, PARTS, index, value)
  const sign = value['thoughtSignature'] ?? value['thought_signature']
  const text = value['text']
  if (typeof text === 'string') {
    return value['thought'] === true
      ? new Part('reasoning', 'thought', message, PARTS, index, value, undefined, undefined, text, sign)
      : new Part('text', 'text', message, PARTS, index, value, undefined, undefined, text, sign)
  }
  const call = isObject(value['functionCall']) ? 'functionCall' : 'function_call'
  if (isObject(value[call])) return readCall(value, call, value[call], message, index, sign)
  const response = isObject(value['functionResponse']) ? 'functionResponse' : 'function_response'
  if (isObject(value[response])) return readResponse(value, response, value[response], message, index, sign)
  const type = typeOf(value)
  const kind = MEDIA.includes(type) ? 'media' : 'opaque'
  return new Part(kind, type, message, PARTS, index, value, undefined, undefined, undefined, sign)
}

function readCall(
  value: JsonObject,
  type: string,
  data: JsonObject,
  message: number,
  index: number,
  sign: unknown,
): Part {
  const idKey = otherIdKey(data, 'id')
  const kind = idKey === undefined && otherArgumentKey(data, 'args') === undefined ? type : ALIAS
  const [id, name] = [word(data[idKey ?? 'id']), word(data['name'])]
  return new Part('call', kind, message, PARTS, index, value, id, name, argumentsOf(data, 'args'), sign)
}

function readResponse(
  value: JsonObject,
  type: string,
  data: JsonObject,
  message: number,
  index: number,
  sign: unknown,
): Part {
  const [idKey, outputKey] = [otherIdKey(data, 'id'), otherOutputKey(data, 'response')]
  const response = data[outputKey ?? 'response']
  const failed = own(response, 'error') !== undefined
  const id = word(data[idKey ?? 'id'])
  const kind = idKey === undefined && outputKey === undefined ? type : ALIAS
  return new Part('result', kind, message, PARTS, index, value, id, word(data['name']), response, sign, false, failed)
}

/** The key of a part's data, `empty` where it has none. Media first: they may have their metadata beside them. */
function typeOf(value: JsonObject): string {
  for (const key of MEDIA) if (isObject(value[key])) return key
  for (const key of Object.keys(value)) if (value[key] != null && !MARKS.includes(key)) return key
  return 'empty'
}

function wire(content: unknown): unknown {
  const parts = own(content, 'parts')
  const wired = mapChanged(parts, (part) => {
    const key = CALL_KEYS.find((one) => isObject(own(part, one)))
    if (key !== undefined) return wireData(part as JsonObject, key, 'args', otherArgumentKey)
    const answer = RESPONSE_KEYS.find((one) => isObject(own(part, one)))
    return answer === undefined ? part : wireData(part as JsonObject, answer, 'response', otherOutputKey)
  })
  return wired === parts ? content : withKey(content as object, 'parts', wired)
}

const CALL_KEYS = ['functionCall', 'function_call'] as const
const RESPONSE_KEYS = ['functionResponse', 'function_response'] as const

/** The part with the id and the content of its data under the dialect's own keys. */
function wireData(part: JsonObject, key: string, content: string, other: typeof otherOutputKey): JsonObject {
  const data = part[key] as JsonObject
  const named = withTextId(withOwnKey(data, 'id', otherIdKey(data, 'id')))
  const now = withOwnKey(named, content, other(named, content))
  return now === data ? part : withKey(part, key, now)
}

/** An id is a text or not there at all. */
function withTextId(data: JsonObject): JsonObject {
  const { id } = data
  if (typeof id === 'string' || id === undefined || id === null) return data
  return withKey(data, 'id', typeof id === 'number' ? String(id) : undefined)
}

function responseText(response: unknown): string {
  if (!isObject(response)) return textOf(response)
  const [key, ...more] = Object.keys(response)
  const only = key !== undefined && more.length === 0 && TEXTS.includes(key) ? response[key] : undefined
  return typeof only === 'string' ? only : textOf(response)
}

function mediaOf(response: unknown): readonly unknown[] {
  return listOf(own(response, 'parts'))
}

function write(of: Part, value: unknown, change: Change): unknown {
  if (typeof value === 'string') return 'text' in change ? change.text : value
  const whole = value as JsonObject
  if ('text' in change) return withKey(whole, 'text', change.text)
  const data = isObject(whole[of.type]) ? (whole[of.type] as JsonObject) : {}
  return withKey(whole, of.type, writeData(of, data, change))
}

function writeData(of: Part, data: JsonObject, change: Exclude<Change, { readonly text: string }>): JsonObject {
  if ('id' in change) return withKey(data, 'id', change.id)
  if ('name' in change) return withKey(data, 'name', change.name)
  if ('arguments' in change) return withKey(data, 'args', change.arguments)
  // A response is an object; `error` and `output` are the keys the service knows.
  const { result } = change
  return withKey(data, 'response', isObject(result) ? result : { [of.failed ? 'error' : 'output']: result })
}

function partsOf(content: unknown): readonly unknown[] {
  const list = own(content, 'parts')
  if (typeof list === 'string') return list === '' ? [] : [{ text: list }]
  return Array.isArray(list) ? list : isObject(list) ? [list] : []
}

/** An empty text that carries a signature still says who thought. */
function saysNothing(value: unknown): boolean {
  return isObject(value) && value['text'] === '' && Object.keys(value).length === 1
}
