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
import { blocksOf, isEmptyList, listOf, readContent, splitContent, textBlock, textOf, word } from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import { RESULT_KEYS } from '../other-keys.ts'
import { neutral } from './neutral.ts'

const CONTENT = ['content'] as const

/** Types of outputs. Each has its content under `value`. */
const KINDS: ReadonlySet<string> = new Set(['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied'])

/**
 * ModelMessage of the AI SDK, versions 5 to 7: parts in every message, results in messages of the role `tool`.
 * Also reads the older `args` and `result`. Calls and results of tools that the provider runs are in the assistant's
 * message.
 */
export const aiSdk: Dialect<'ai-sdk'> = {
  id: 'ai-sdk',
  key: 'messages',
  // In-process: it has no requests.
  paths: /(?!)/,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  nativeMedia,
  blocks: CONTENT,
  neutral,
  read,
  exemptCalls: excused,
  answer: (call, text, succeeded) => ({
    type: 'tool-result',
    toolCallId: call.id ?? '',
    toolName: call.name ?? '',
    output: { type: succeeded ? 'text' : 'error-text', value: text },
  }),
  wrapResults: (results) => (results.length === 0 ? [] : [{ role: 'tool', content: results }]),
  textMessage: (role, text, media = []) => ({ role, content: media.length > 0 ? [textBlock(text), ...media] : text }),
  call: (_result, id, name) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: name, input: {} }],
  }),
  content,
  write,
  merge: (first, second) => mergeMessages(first as JsonObject, second as JsonObject),
  cleanUp(message) {
    const parts = own(message, 'content')
    return parts === '' || isEmptyList(parts) ? undefined : message
  },
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return 'unknown'
  const { role } = message
  const byAssistant = role === 'assistant'
  readContent(message['content'], CONTENT, index, parts, (part, at, i) => readPart(part, at, i, byAssistant))
  return role === 'user' || role === 'assistant' || role === 'system' || role === 'tool' ? role : 'unknown'
}

function readPart(value: unknown, message: number, index: number, byAssistant: boolean): Part {
  if (!isObject(value)) return new Part('opaque', typeof value, message, CONTENT, index, value)
  const type = value['type']
  switch (type) {
    case 'text':
      return new Part('text', type, message, CONTENT, index, value, value['text'])
    case 'reasoning':
    case 'redacted-reasoning':
      return readReasoning(value, type, message, index)
    case 'tool-call': {
      // The SDK reads calls only in messages of the assistant.
      if (!byAssistant) return new Part('opaque', type, message, CONTENT, index, value)
      const server = value['providerExecuted'] === true
      const input = value['input'] === undefined ? own(value, 'args') : value['input']
      return new Part('call', type, message, CONTENT, index, value, input, idOf(value), nameOf(value), server)
    }
    case 'tool-result':
      return readResult(value, message, index, byAssistant)
    case 'image':
    case 'file':
      if (value['source'] !== undefined) return new Part('opaque', type, message, CONTENT, index, value)
      return new Part('media', type, message, CONTENT, index, value)
    default:
      return new Part('opaque', wordOf(type), message, CONTENT, index, value)
  }
}

/** The SDK keeps signatures among the options of the provider. */
function readReasoning(value: JsonObject, type: string, message: number, index: number): Part {
  const options = value['providerOptions'] ?? value['providerMetadata']
  const sign = signIn(options) ?? own(value, 'signature') ?? (isObject(options) ? undefined : own(value, 'data'))
  return signed(new Part('reasoning', type, message, CONTENT, index, value, own(value, 'text')), sign)
}

const SIGNS = [
  'signature',
  'redactedData',
  'thoughtSignature',
  'reasoningEncryptedContent',
  'encryptedContent',
] as const

/** A signature or encrypted reasoning among the options of providers. */
export function signIn(options: unknown): unknown {
  for (const values of isObject(options) ? Object.values(options) : [])
    for (const key of SIGNS) if ((own(values, key) ?? undefined) !== undefined) return own(values, key)
  return undefined
}

/** A result in the assistant's message is the provider's: the client answers in messages of the role `tool`. */
function readResult(value: JsonObject, message: number, index: number, byAssistant: boolean): Part {
  const output = bodyOf(value)
  const type = own(output, 'type')
  const failed =
    type === 'error-text' || type === 'error-json' || type === 'execution-denied' || value['isError'] === true
  const [id, name] = [idOf(value), nameOf(value)]
  return new Part('result', 'tool-result', message, CONTENT, index, value, output, id, name, byAssistant, failed)
}

function bodyOf(value: JsonObject): unknown {
  return value['output'] === undefined ? own(value, 'result') : value['output']
}

function idOf(value: JsonObject): string | undefined {
  return word(own(value, 'toolCallId'))
}

function nameOf(value: JsonObject): string | undefined {
  return word(own(value, 'toolName'))
}

/**
 * Calls that the last message of the history approves or denies: the SDK runs or denies them before it sends.
 * The SDK removes earlier approvals, so the provider sees an unanswered call.
 */
function excused(history: readonly unknown[]): ReadonlySet<string> {
  const last = history.at(-1)
  const responses = own(last, 'role') === 'tool' ? own(last, 'content') : undefined
  const approvals = new Set<unknown>()
  for (const response of listOf(responses)) {
    if (own(response, 'type') === 'tool-approval-response') approvals.add(own(response, 'approvalId'))
  }
  const calls = new Set<string>()
  for (let i = history.length - 1; i >= 0 && approvals.size > 0; i--) takeRequests(history[i], approvals, calls)
  return calls
}

function takeRequests(message: unknown, approvals: Set<unknown>, calls: Set<string>): void {
  const parts = own(message, 'role') === 'assistant' ? own(message, 'content') : undefined
  for (const request of listOf(parts)) {
    if (own(request, 'type') !== 'tool-approval-request' || !approvals.delete(own(request, 'approvalId'))) continue
    const id = word(own(request, 'toolCallId'))
    if (id !== undefined) calls.add(id)
  }
}

function content(result: Part): { text: string; media: readonly unknown[] } {
  const output = result.body
  const type = own(output, 'type')
  if (type === 'execution-denied') return { text: textOf(own(output, 'reason')) || 'Execution was denied.', media: [] }
  const value =
    typeof type === 'string' && (KINDS.has(type) || Object.hasOwn(output as object, 'value'))
      ? own(output, 'value')
      : output
  if (!Array.isArray(value) || type === 'json' || type === 'error-json') return { text: textOf(value), media: [] }
  const { text, media } = splitContent(value, (block) =>
    typeof block['text'] === 'string' ? block['text'] : asMedia(block) ? undefined : textOf(block),
  )
  return { text, media: media.map((block) => asMedia(block as JsonObject)) }
}

/** Media of a result as a part of a user message; undefined if a user message cannot hold it. */
function asMedia(block: JsonObject): JsonObject | undefined {
  const { type, data, url, mediaType } = block as { type?: unknown; data?: unknown; url?: unknown; mediaType?: unknown }
  if (type === 'image')
    return { type, image: data ?? block['image'], ...(mediaType === undefined ? {} : { mediaType }) }
  if (type === 'media' || type === 'file-data' || type === 'image-data') return asFile(data, mediaType)
  if (type === 'image-url' || type === 'file-url')
    return asFile(url, mediaType ?? (type === 'image-url' ? 'image/*' : undefined))
  return undefined
}

function asFile(data: unknown, mediaType: unknown): JsonObject {
  return { type: 'file', data, mediaType: mediaType ?? 'application/octet-stream' }
}

function write(of: Part, value: unknown, change: Change): unknown {
  if ('text' in change) return typeof value === 'string' ? change.text : withKey(value as object, 'text', change.text)
  const object = value as JsonObject
  if ('id' in change) return withKey(object, 'toolCallId', change.id)
  if ('name' in change) return withKey(object, 'toolName', change.name)
  if ('arguments' in change) return withKey(object, keyIn(object, 'args', 'input'), change.arguments)
  const key = keyIn(object, 'result', 'output')
  return withKey(object, key, key === 'output' ? asOutput(change.result, of.failed) : change.result)
}

/** The older key only if the current one is missing. */
function keyIn(object: JsonObject, old: string, now: string): string {
  return Object.hasOwn(object, old) && !Object.hasOwn(object, now) ? old : now
}

function asOutput(result: unknown, failed: boolean): JsonObject {
  if (typeof result === 'string') return { type: failed ? 'error-text' : 'text', value: result }
  if (isObject(result) && typeof result['type'] === 'string') return result
  return { type: failed ? 'error-json' : 'json', value: result }
}

function mergeMessages(first: JsonObject, second: JsonObject): JsonObject {
  const [before, after] = [first['content'], second['content']]
  // The content of a system message is a string.
  const both = first['role'] === 'system' && typeof before === 'string' && typeof after === 'string'
  return withKey(first, 'content', both ? before + '\n\n' + after : [...blocksOf(before), ...blocksOf(after)])
}
