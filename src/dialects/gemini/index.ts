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
import { listOf, textOf, textUnderOtherKey, word } from '../blocks.ts'
import { known } from '../known.ts'
import { nativeMedia } from '../native-media.ts'
import { mapList, RESULT_KEYS, withChanged, withOwnArguments, withOwnId, withOwnOutput } from '../other-keys.ts'
import { groupedNames, NOT_AVAILABLE } from '../tool-declarations.ts'
import { neutral } from './neutral.ts'

const PARTS = ['parts'] as const
const MEDIA: readonly string[] = ['inlineData', 'fileData', 'inline_data', 'file_data']
/** Keys beside a part's data, in camel case and in snake case. Without data they are not a part. */
const MARKS: readonly string[] = [
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
  'mediaProcessing',
  'speechMetadata',
].flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())])
/** Keys under which a response usually has its text. */
const TEXTS: readonly string[] = ['output', 'result', 'error', 'content']

/**
 * Gemini generateContent: parts in every content, responses as parts of a user's content, ids where the model gives
 * them. Field names are in camel or in snake case; a new call or response has the case of the part it belongs to.
 */
export const gemini: Dialect<'gemini'> = {
  id: 'gemini',
  key: 'contents',
  paths: /:(stream)?generateContent$/i,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  known: known(),
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
  toWireShape: (message) => mapList(message, 'parts', wirePart),
  write,
  merge: (first, second) => withKey(first as object, 'parts', [...partsOf(first), ...partsOf(second)]),
  cleanUp: (content) => (isObject(content) && partsOf(content).every(isEmptyText) ? undefined : content),
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
    // The service accepts a single part as a list of one.
    const one = readPart(list, index, -1)
    onlyResponses = one.kind === 'result'
    parts.push(one)
  } else if (typeof list === 'string' && list !== '') parts.push(new Part('text', 'text', index, PARTS, -1, list, list))
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

function readPart(given: unknown, message: number, index: number): Part {
  if (!isObject(given)) return new Part('opaque', typeof given, message, PARTS, index, given)
  return signed(readObject(given, message, index), given['thoughtSignature'] ?? given['thought_signature'])
}

function readObject(given: JsonObject, message: number, index: number): Part {
  const text = given['text']
  if (typeof text === 'string') {
    return given['thought'] === true
      ? new Part('reasoning', 'thought', message, PARTS, index, given, text)
      : new Part('text', 'text', message, PARTS, index, given, text)
  }
  const wired = wirePart(given)
  const aliased = wired !== given
  const call = isObject(wired['functionCall']) ? 'functionCall' : 'function_call'
  const answer = isObject(wired['functionResponse']) ? 'functionResponse' : 'function_response'
  if (isObject(wired[call])) {
    const { id, name, args } = wired[call]
    return new Part('call', call, message, PARTS, index, given, args, word(id), word(name), false, false, aliased)
  }
  if (isObject(wired[answer])) {
    const { id, name, response: body } = wired[answer]
    const failed = own(body, 'error') !== undefined
    return new Part('result', answer, message, PARTS, index, given, body, word(id), word(name), false, failed, aliased)
  }
  const type = typeOf(given)
  return new Part(MEDIA.includes(type) ? 'media' : 'opaque', type, message, PARTS, index, given)
}

/** The key of a part's data, or `empty`. Media first: they may have metadata beside them. */
function typeOf(value: JsonObject): string {
  for (const key of MEDIA) if (isObject(value[key])) return key
  for (const key of Object.keys(value)) if (value[key] != null && !MARKS.includes(key)) return key
  return 'empty'
}

/** The part with its fields named as on the wire. */
function wirePart(part: JsonObject): JsonObject {
  for (const key of CALL_KEYS) {
    const call = part[key]
    if (isObject(call)) return withChanged(part, key, withOwnArguments(withTextId(withOwnId(call, 'id')), 'args'))
  }
  for (const key of RESPONSE_KEYS) {
    const result = part[key]
    if (isObject(result)) return withChanged(part, key, withOwnOutput(withTextId(withOwnId(result, 'id')), 'response'))
  }
  return part
}

const CALL_KEYS = ['functionCall', 'function_call'] as const
const RESPONSE_KEYS = ['functionResponse', 'function_response'] as const

/** The data with a text as its id, or without one. */
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
  const whole = wirePart(value as JsonObject)
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

/** An empty text without a signature. One with a signature is kept. */
function isEmptyText(value: unknown): boolean {
  return isObject(value) && value['text'] === '' && Object.keys(value).length === 1
}
