/**
 * Gemini generateContent: parts in every content, responses as parts of a user's content, ids where the model gives them.
 * Field names come in camel and in snake case; what is written keeps the case of what it answers.
 */
import { type Change, type Dialect, isObject, type JsonObject, own, Part, type Role, withKey } from '../core/index.ts'
import { listOf, textOf, textUnderOtherKey, word } from './blocks.ts'
import { groupedNames, NOT_AVAILABLE } from './tool-declarations.ts'

const PARTS = ['parts'] as const
const MEDIA: readonly string[] = ['inlineData', 'fileData', 'inline_data', 'file_data']
/** Keys beside a part's data: alone they are no part at all. */
export const MARKS: readonly string[] = bothCases([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
  'mediaProcessing',
  'speechMetadata',
])
/** Where a response keeps its text by custom. */
const TEXTS: readonly string[] = ['output', 'result', 'error', 'content']

export const gemini: Dialect = {
  id: 'gemini',
  key: 'contents',
  paths: /:(stream)?generateContent$/i,
  slot: 'run',
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
  read,
  answer: (call, text) => ({
    [call.type === 'function_call' ? 'function_response' : 'functionResponse']: {
      ...(call.id === undefined ? {} : { id: call.id }),
      name: call.name ?? '',
      response: { error: text },
    },
  }),
  hold: (results) => (results.length === 0 ? [] : [{ role: 'user', parts: results }]),
  say: (role, text, media = []) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text }, ...media] }),
  call: (result, id, name) => ({
    role: 'model',
    parts: [{ [result.type === 'function_response' ? 'function_call' : 'functionCall']: { id, name, args: {} } }],
  }),
  content: (result) => ({ text: responseText(result.body), media: mediaOf(own(result.value, result.type)) }),
  write,
  merge: (first, second) => withKey(first as object, 'parts', [...partsOf(first), ...partsOf(second)]),
  tidy: (content) => (isObject(content) && partsOf(content).every(saysNothing) ? undefined : content),
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
  }
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
  return new Part('call', type, message, PARTS, index, value, word(data['id']), word(data['name']), data['args'], sign)
}

function readResponse(
  value: JsonObject,
  type: string,
  data: JsonObject,
  message: number,
  index: number,
  sign: unknown,
): Part {
  const response = data['response']
  const failed = own(response, 'error') !== undefined
  const id = word(data['id'])
  return new Part('result', type, message, PARTS, index, value, id, word(data['name']), response, sign, false, failed)
}

/** The key of a part's data, `empty` where it has none. Media first: they may have their metadata beside them. */
function typeOf(value: JsonObject): string {
  for (const key of MEDIA) if (isObject(value[key])) return key
  for (const key of Object.keys(value)) if (value[key] != null && !MARKS.includes(key)) return key
  return 'empty'
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
  return Array.isArray(list) ? list : isObject(list) ? [list] : []
}

/** An empty text that carries a signature still says who thought. */
function saysNothing(value: unknown): boolean {
  return isObject(value) && value['text'] === '' && Object.keys(value).length === 1
}

/** Names in camel case, and the same in snake case. */
export function bothCases(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())])
}
