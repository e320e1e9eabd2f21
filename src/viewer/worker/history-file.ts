/**
 * Plain histories, request bodies and data sets, read and written by their session-file format. The whole body is
 * checked, not the list alone: some rules read the fields around it.
 */
import { diffMessages, isObject, jsonText, own } from '../../core/index.ts'
import { documentOf } from '../../session-files/elements.ts'
import { bodyPath } from '../../session-files/plain/batch.ts'
import { BODY_KEYS, plain } from '../../session-files/plain/index.ts'
import type { Conversation, RecordEdit, SessionFile } from '../../session-files/types.ts'
import { unsupportedIn } from '../../session-files/unsupported.ts'
import { type Document, dialectNamed, encoded, type OpenConversation } from './document.ts'
import { factsOf } from './message-facts.ts'

/** The file as the format reads it. Throws an error that names what was expected. */
export function readHistory(name: string, bytes: Uint8Array): SessionFile {
  const file = plain.read({ bytes, path: name })
  const unsupported = unsupportedIn(file.input, [])
  if (unsupported !== undefined) throw new Error(`This file is not understood: it holds ${unsupported}.`)
  if (
    plain.recognize(
      file.input,
      file.records.map(({ value }) => value),
    ) > 0
  )
    return file
  throw new Error(
    'This file is not a history: expected a session file, a list of messages, or an object with "messages", "input" or "contents".',
  )
}

export function historyDocument(name: string, file: SessionFile): Document {
  const conversations = file.conversations.map((conversation) => conversationOf(file, conversation))
  return { name, conversations, applied: [], write: (now) => written(file, conversations, now) }
}

function conversationOf(file: SessionFile, conversation: Conversation): OpenConversation {
  const { id, dialect: named, provider, model, history, sources } = conversation
  const dialect = dialectNamed(named)
  const body = bodyOf(file, conversation)
  const isLines = id === 'main' && body === undefined && file.records.some(({ line }) => line > 1)
  return {
    id,
    dialect,
    provider,
    model,
    stored: history.map((message, i) => ({
      message,
      ...(isLines && { lines: linesOf(file, sources[i]!) }),
      facts: factsOf(message),
    })),
    next: history,
    origins: Int32Array.from(history, (_, i) => i),
    body,
  }
}

function linesOf({ records }: SessionFile, [record = 0]: readonly number[]): readonly [number, number] {
  const { line } = records[record]!
  return [line, line]
}

/** The object around the list, without the list. */
function bodyOf(file: SessionFile, { id, sources }: Conversation): OpenConversation['body'] {
  const value = id === 'main' ? documentOf(file.input, []) : file.records[sources[0]?.[0] ?? -1]?.value
  // The body of a request in a batch is deeper; its list alone is checked.
  if (!isObject(value) || Array.isArray(value) || bodyPath(value).length > 0) return undefined
  const { [listKey(value)]: _, ...body } = value
  return body
}

function listKey(body: object): string {
  return BODY_KEYS.find((key) => Array.isArray(own(body, key))) ?? BODY_KEYS[0]
}

/** Writes only the changes. A body whose other fields changed is written as a whole. */
function written(file: SessionFile, was: readonly OpenConversation[], now: readonly OpenConversation[]): Uint8Array {
  const changes: RecordEdit[] = []
  for (const [i, { id, next, body, dialect }] of now.entries()) {
    const conversation = file.conversations[i]!
    if (body && !isSame(body, was[i]!.body!)) {
      const bytes = encoded(jsonText({ ...body, [dialect.key]: next })!)
      if (id === 'main') return bytes
      changes.push({ op: 'replace', record: conversation.sources[0]![0]!, bytes })
    } else if (next !== conversation.history)
      changes.push(...plain.write(file, conversation, diffMessages(conversation.history, next)))
  }
  return changes.length === 0 ? file.input.bytes : plain.apply!(file, changes)
}

function isSame(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
