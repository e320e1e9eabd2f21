/**
 * Gemini (docs/rejections.md#gemini), the schema: contents and parts, roles, declared tools.
 */

import { field, isAbsent, isObject, listAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { asList, camelOrSnake, contentsOf, partsOf, snakeOf } from './contents.ts'

export const LEARN = ' Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'

/**
 * Fields that may be next to a part's data. A part with only these is empty; any other key is data, also of a type that
 * is newer than this list.
 */
const MARKS = bothCases([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
  'mediaProcessing',
  'speechMetadata',
])
/**
 * docs/rejections.md#gemini-unknown-field: fields of messages and blocks of other dialects, as reported. Any other
 * field passes: it may be newer than this list.
 */
const PART_FIELDS = new Set(['type', 'role'])
const CONTENT_FIELDS = new Set(['content', 'tool_calls', 'tool_call_id'])

function bothCases(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name, snakeOf(name)]))
}

/** docs/rejections.md#gemini-messages-empty. */
export function contentsEmpty({ body }: JudgedRequest, vertex: boolean): Rejection | undefined {
  if (contentsOf(body).length > 0) return undefined
  const message = 'Unable to submit request because at least one contents field is required.'
  return { rule: 'messages-empty', message: vertex ? message + LEARN : message }
}

/**
 * docs/rejections.md#gemini-unknown-field, docs/rejections.md#gemini-tool-result-not-object, and values of a wrong
 * type.
 */
export function schema({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, content] of contentsOf(body).entries()) {
    const at = `contents[${i}]`
    if (!isObject(content)) return invalidValue('message-shape', at, 'Content')
    const extra = Object.keys(content).find((key) => CONTENT_FIELDS.has(key))
    if (extra) return unknownName(extra, at)
    for (const [j, part] of partsOf(content).entries()) {
      const place = Array.isArray(content.parts) ? `${at}.parts[${j}]` : `${at}.parts`
      const rejection = partSchema(part, place)
      if (rejection) return rejection
    }
  }
  return undefined
}

function partSchema(part: unknown, at: string): Rejection | undefined {
  if (!isObject(part)) return invalidValue('content-shape', at, 'Part')
  const extra = Object.keys(part).find((key) => PART_FIELDS.has(key))
  if (extra) return unknownName(extra, at)
  for (const name of ['functionCall', 'functionResponse']) {
    const data = camelOrSnake(part, name)
    if (!isAbsent(data) && !isObject(data))
      return invalidValue('content-shape', `${at}.${snakeOf(name)}`, name[0]?.toUpperCase() + name.slice(1))
  }
  const args = field(camelOrSnake(part, 'functionCall'), 'args')
  if (!isAbsent(args) && !isObject(args))
    return invalidValue('tool-arguments-not-object', `${at}.function_call.args`, 'Struct')
  const response = field(camelOrSnake(part, 'functionResponse'), 'response')
  if (!isAbsent(response) && !isObject(response))
    return invalidValue('tool-result-not-object', `${at}.function_response.response`, 'Struct')
  return undefined
}

function unknownName(name: string, at: string): Rejection {
  return {
    rule: 'unknown-field',
    message: `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`,
  }
}

function invalidValue(rule: string, at: string, type: string): Rejection {
  const name = type === 'Struct' ? 'google.protobuf.Struct' : `google.ai.generativelanguage.v1beta.${type}`
  return { rule, message: `Invalid value at '${at}' (type.googleapis.com/${name})` }
}

/** role-unknown: recorded. `function` is the older name of a response turn; no role means user. */
export function roleUnknown({ body }: JudgedRequest): Rejection | undefined {
  const known = (role: unknown) => isAbsent(role) || role === 'user' || role === 'model' || role === 'function'
  if (contentsOf(body).every((content) => known(content.role))) return undefined
  return { rule: 'role-unknown', message: 'Please use a valid role: user, model.' }
}

/** tool-call-name-invalid: the call's own name, with the text that is known for its response. */
export function callNames({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, content] of contentsOf(body).entries()) {
    for (const [j, part] of partsOf(content).entries()) {
      const call = camelOrSnake(part, 'functionCall')
      if (!isObject(call) || (typeof call.name === 'string' && call.name !== '')) continue
      const at = `* GenerateContentRequest.contents[${i}].parts[${j}].function_call.name`
      return { rule: 'tool-call-name-invalid', message: `${at}: Name cannot be empty.` }
    }
  }
  return undefined
}

/** docs/rejections.md#gemini-tool-result-name-missing. */
export function responseNames({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, content] of contentsOf(body).entries()) {
    for (const [j, part] of partsOf(content).entries()) {
      const response = camelOrSnake(part, 'functionResponse')
      if (!isObject(response) || (typeof response.name === 'string' && response.name !== '')) continue
      const at = `* GenerateContentRequest.contents[${i}].parts[${j}].function_response.name`
      return { rule: 'tool-result-name-missing', message: `${at}: Name cannot be empty.` }
    }
  }
  return undefined
}

/** docs/rejections.md#gemini-content-empty. The Gemini API accepts an empty text (recorded); Vertex rejects it. */
export function contentEmpty({ body }: JudgedRequest, vertex: boolean): Rejection | undefined {
  const rule = 'content-empty'
  for (const [i, content] of contentsOf(body).entries()) {
    const at = `* GenerateContentRequest.contents[${i}].parts`
    const parts = partsOf(content)
    if (parts.length === 0) return { rule, message: `${at}: contents.parts must not be empty.\n` }
    const j = parts.findIndex((part) => !Object.keys(part).some((key) => !MARKS.has(key) && !isAbsent(part[key])))
    if (j >= 0)
      return { rule, message: `${at}[${j}].data: required oneof field 'data' must have one initialized field\n` }
    if (vertex && parts.some((part) => part.text === '' && isAbsent(camelOrSnake(part, 'thoughtSignature'))))
      return {
        rule,
        message: `Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.${LEARN}`,
      }
  }
  return undefined
}

/** docs/rejections.md#gemini-tool-declaration-name-invalid. */
export function declaredTools({ body }: JudgedRequest): Rejection | undefined {
  for (const [t, tool] of listAt(body, 'tools').entries()) {
    const declared = camelOrSnake(tool, 'functionDeclarations')
    for (const [i, declaration] of asList(declared).entries()) {
      const name = field(declaration, 'name')
      if (typeof name !== 'string' || /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name)) continue
      return {
        rule: 'tool-declaration-name-invalid',
        message: `* GenerateContentRequest.tools[${t}].function_declarations[${i}].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.`,
      }
    }
  }
  return undefined
}
