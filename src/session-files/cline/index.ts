/**
 * Cline and Roo: messages in Anthropic's shape, in a list (`api_conversation_history.json`) or an SDK session
 * (`<id>.messages.json`). Fields of the client (`ts`, `id`, `metrics`, …) stay in the file and are not part of the
 * history.
 */

import { isObject, type JsonObject, own, type Path, withKey, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { applyToElements, changesForRecords, documentOf, pathIn, readElements } from '../elements.ts'
import { asText, fileName, listIn, numberIn, slashed, textIn } from '../json-values.ts'
import { parsed } from '../lines.ts'
import { errorIn } from '../shared/faults.ts'
import { defineFormat, sessionFile, unknownTypes } from '../shared/session-file.ts'
import type { Conversation, FileInput, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [['messages'], []]
function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'role')
  return { type: role ?? 'no message', known: role === 'user' || role === 'assistant' }
}

function isRecord(value: unknown): boolean {
  return typeOf(value).known && own(value, 'content') !== undefined
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf, isRecord)
  const run = sibling(input, /(?<!messages|compaction)\.json$/, (it) => own(it, 'session_id') !== undefined)
  const version = own(value, 'version')
  const known = version === undefined || version === 1
  return sessionFile('cline', input, { records, salvage }, conversations({ input, records }), {
    version: textIn(value, 'origin', 'version') ?? (version === undefined ? undefined : wordOf(version)),
    sessionId: textIn(value, 'sessionId') ?? taskOf(input.path),
    cwd: textIn(run, 'cwd'),
    unknown: [...(known ? [] : [`version ${asText(version)}`]), ...unknownTypes(records)],
  })
}

/** The id of a classic task is the name of its folder. */
function taskOf(path: string | undefined): string | undefined {
  return /\/([^/]+)\/api_conversation_history\.json$/.exec(slashed(path))?.[1]
}

function sibling(input: FileInput, name: RegExp, fits: (value: unknown) => boolean): unknown {
  for (const [path, bytes] of input.siblings ?? []) {
    const value = name.test(path) ? parsed(bytes) : undefined
    if (value !== undefined && fits(value)) return value
  }
  return undefined
}

function conversations({ input, records }: Pick<SessionFile, 'input' | 'records'>): readonly Conversation[] {
  const builder = new ConversationBuilder()
  const compaction = sibling(input, /\.compaction\.json$/, isObject)
  const dropped = numberIn(compaction, 'source_message_count') ?? 0
  for (const message of listIn(compaction, 'messages')) builder.add([toMessage(message)], [])
  const range = deletedRange(input)
  for (const { index, value, known } of records) {
    if (!known || own(own(value, 'metadata'), 'displayOnly') === true) builder.exclude(index, 'not-conversation')
    else if (index < dropped || (index >= range[0] && index <= range[1])) builder.exclude(index, 'before-compaction')
    else builder.add([toMessage(value)], [index])
  }
  const last = records.findLast(({ value }) => textIn(value, 'modelInfo', 'provider') !== undefined)?.value
  const made = textIn(last, 'modelInfo', 'provider')
  const conversation = builder.done({
    id: 'main',
    dialect: 'anthropic-messages',
    // Other providers get a translation of these messages. OpenRouter has none of Anthropic's limits on ids.
    provider: made === undefined || /anthropic|bedrock|vertex|claude/i.test(made) ? 'anthropic' : 'openrouter',
    model: textIn(last, 'modelInfo', 'id'),
  })
  return [conversation]
}

/** The range of messages that a classic task leaves out. The last interface message that has one counts. */
function deletedRange(input: FileInput): readonly [number, number] {
  const messages = sibling(input, /ui_messages\.json$/, Array.isArray)
  for (const message of (Array.isArray(messages) ? messages : []).toReversed()) {
    const [start, end] = listIn(message, 'conversationHistoryDeletedRange')
    if (typeof start === 'number' && typeof end === 'number') return [start, end]
  }
  return [-1, -1]
}

/** The message or block of the file, by the one that is sent. */
const originals = new WeakMap<object, unknown>()

function toMessage(value: unknown): unknown {
  const { role, content } = value as JsonObject
  const message = { role, content: Array.isArray(content) ? content.map(toBlock) : content }
  originals.set(message, value)
  return message
}

/** Stored results have the tool's name, and parts without a type, which are records of what the tool did. */
function toBlock(block: unknown): unknown {
  if (own(block, 'type') !== 'tool_result') return block
  const { name: _name, ...sent } = block as JsonObject
  const content = own(block, 'content')
  if (_name === undefined && !(Array.isArray(content) && content.some(isRaw))) return block
  const now = Array.isArray(content)
    ? { ...sent, content: content.map((part) => (isRaw(part) ? { type: 'text', text: asText(part) } : part)) }
    : sent
  originals.set(now, block)
  return now
}

function isRaw(part: unknown): boolean {
  return own(part, 'type') === undefined
}

function toRecord(message: unknown, was: unknown): unknown {
  if (!isObject(message)) return message
  const content = message['content']
  const blocks = Array.isArray(content)
    ? content.map((block) => (isObject(block) ? (originals.get(block) ?? block) : block))
    : content
  if (!isObject(was) || was['role'] !== message['role']) return { ...message, content: blocks }
  return withKey(was, 'content', blocks)
}

const EMPTY =
  'The list of messages is empty; the client shows the task and sends nothing of it. Restore the file from a backup or a checkpoint.'

export const cline = defineFormat({
  id: 'cline',
  title: 'Cline and Roo Code',
  writes: 'yes',
  storage: 'json',
  recognize(input, head) {
    const name = fileName(input.path)
    if (name === 'api_conversation_history.json') return 1
    const value = documentOf(input, head)
    const isSession =
      Array.isArray(own(value, 'messages')) && (own(value, 'agent') ?? own(value, 'origin')) !== undefined
    if (isSession && textIn(value, 'sessionId') !== undefined) return 1
    return name.endsWith('.messages.json') ? 0.5 : 0
  },
  read,
  typeOf,
  conversations,
  write(file, conversation, patch) {
    const changes = changesForRecords(file, pathIn(file.input, PATHS, isRecord), conversation, patch, toRecord)
    // Another file has the range of left-out messages by index.
    const [, end] = deletedRange(file.input)
    const shifts = changes.some(
      (change) => change.op !== 'replace' && (change.op === 'insert' ? change.after : change.record) <= end,
    )
    return shifts ? [] : changes
  },
  check: (file) =>
    file.records.length === 0 && file.salvage.quarantined.length === 0 ? [errorIn({}, 'empty-history', EMPTY)] : [],
  apply: (file, changes) => applyToElements(file, PATHS, changes, isRecord),
})
