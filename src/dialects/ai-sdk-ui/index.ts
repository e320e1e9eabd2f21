import {
  type Change,
  type Dialect,
  hash,
  isObject,
  type JsonObject,
  own,
  Part,
  type Role,
  signed,
  withKey,
  wordOf,
} from '../../core/index.ts'
import { signIn } from '../ai-sdk/index.ts'
import { listOf, textBlock, textOf, word } from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import { RESULT_KEYS } from '../other-keys.ts'
import { neutral } from './neutral.ts'
import { finished, isFinished, isToolPart, nameOf, renamed } from './tool-parts.ts'

const PARTS = ['parts'] as const

/**
 * UIMessage of the AI SDK, versions 5 and 6: what `useChat` shows and applications store. A tool part holds a call and,
 * once it is finished, its result, so results are written into the part of their call.
 */
export const aiSdkUi: Dialect<'ai-sdk-ui'> = {
  id: 'ai-sdk-ui',
  key: 'messages',
  // In-process: it has no requests.
  paths: /(?!)/,
  resultPlacement: 'anywhere',
  resultKeys: RESULT_KEYS,
  nativeMedia,
  blocks: PARTS,
  neutral,
  read,
  // A result belongs to the call of its own part, whatever other parts have the same id.
  callType: ({ message, index, list }) => `${message} ${index < 0 ? list[1] : index}`,
  messageId: (message) => word(own(message, 'id')),
  exemptCalls: approvedCalls,
  answer: (call, text, succeeded = false) => finished(partOf(call), text, succeeded),
  answerInPlace: (call, text) => finished(partOf(call), text, false),
  wrapResults: (results) => (results.length === 0 ? [] : [message('assistant', results)]),
  textMessage: (role, text, media = []) => message(role, [textBlock(text), ...media]),
  call: (_result, id, name) => message('assistant', [{ ...toolPart(id, name), state: 'input-available', input: {} }]),
  content: ({ body }) => ({ text: textOf(body), media: [] }),
  write,
  merge: (first, second) =>
    withKey(
      first as object,
      'parts',
      [first, second].flatMap((one) => listOf(own(one, 'parts'))),
    ),
  cleanUp: (one) => (isObject(one) && listOf(one['parts']).every(isSeparator) ? undefined : one),
}

function read(one: unknown, index: number, parts: Part[]): Role {
  if (!isObject(one)) return 'unknown'
  const list = listOf(one['parts'])
  for (let i = 0; i < list.length; i++) readPart(list[i], index, i, parts)
  const { role } = one
  return role === 'user' || role === 'assistant' || role === 'system' ? role : 'unknown'
}

function readPart(value: unknown, message: number, index: number, parts: Part[]): void {
  if (!isObject(value)) {
    parts.push(new Part('opaque', typeof value, message, PARTS, index, value))
    return
  }
  if (isToolPart(value)) {
    readToolPart(value, message, index, parts)
    return
  }
  const type = wordOf(value['type'])
  if (type === 'text' || type === 'reasoning') {
    const sign = type === 'reasoning' ? signIn(value['providerMetadata']) : undefined
    parts.push(signed(new Part(type, type, message, PARTS, index, value, value['text']), sign))
  } else parts.push(new Part(type === 'file' ? 'media' : 'opaque', type, message, PARTS, index, value))
}

/** The result has the position of the whole part: a change of the result is a change of the part. */
function readToolPart(value: JsonObject, message: number, index: number, parts: Part[]): void {
  const id = word(value['toolCallId'])
  const name = nameOf(value)
  const server = value['providerExecuted'] === true
  const type = wordOf(value['type'])
  parts.push(new Part('call', type, message, PARTS, index, value, value['input'], id, name, server))
  if (!isFinished(value)) return
  const failed = value['state'] !== 'output-available'
  const denied = own(value['approval'], 'reason') ?? 'Execution was denied.'
  const body = failed ? (value['errorText'] ?? denied) : value['output']
  const list = [...PARTS, String(index)]
  parts.push(new Part('result', type, message, list, -1, value, body, id, name, server, failed))
}

/** Calls in the last message that were just approved or denied: the SDK runs or closes them before it sends. */
function approvedCalls(history: readonly unknown[]): ReadonlySet<string> {
  const calls = new Set<string>()
  for (const part of listOf(own(history.at(-1), 'parts'))) {
    const id = own(part, 'state') === 'approval-responded' ? word(own(part, 'toolCallId')) : undefined
    if (id !== undefined) calls.add(id)
  }
  return calls
}

function partOf({ value, id, name }: Part): JsonObject {
  if (isObject(value) && isToolPart(value)) return id === undefined ? value : withKey(value, 'toolCallId', id)
  return { ...toolPart(id ?? '', name ?? ''), input: {} }
}

function toolPart(id: string, name: string): JsonObject {
  return { type: 'dynamic-tool', toolName: name, toolCallId: id }
}

function message(role: string, parts: readonly unknown[]): JsonObject {
  return { id: hash(role + textOf(parts)), role, parts }
}

function write(of: Part, value: unknown, change: Change): unknown {
  const part = value as JsonObject
  if ('text' in change) return withKey(part, 'text', change.text)
  if ('id' in change) return withKey(part, 'toolCallId', change.id)
  if ('name' in change) return renamed(part, change.name)
  if ('arguments' in change) return withKey(part, 'input', change.arguments)
  return withKey(part, of.failed ? 'errorText' : 'output', change.result)
}

/** A part that only divides steps. */
function isSeparator(part: unknown): boolean {
  return own(part, 'type') === 'step-start'
}
