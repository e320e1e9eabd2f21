/**
 * VS Code Copilot Chat: the store of the interface, a mutation log since 1.109 and one JSON document before. Only a
 * missing head record is repaired; broken pairs are only shown, because the extension rebuilds each request.
 */

import { own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { writerFor } from '../history-writer.ts'
import { asText, fileName, listIn, objectIn, slashed, textIn } from '../json-values.ts'
import { applyToLines } from '../line-layout.ts'
import { parsed } from '../lines.ts'
import { callOf } from '../shared/chat-call.ts'
import { errorIn } from '../shared/faults.ts'
import { lineOf } from '../shared/line.ts'
import { textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'
import { replay } from './replay.ts'

const PATHS: readonly Path[] = [['requests']]
const KINDS = ['session', 'set', 'push', 'delete']
const writer = writerFor('openai-chat')

function typeOf(value: unknown): { type: string; known: boolean } {
  const kind = own(value, 'kind')
  if (typeof kind === 'number') return { type: KINDS[kind] ?? `kind ${kind}`, known: kind >= 0 && kind < KINDS.length }
  return { type: 'request', known: own(value, 'requestId') !== undefined || own(value, 'message') !== undefined }
}

function isLog(records: readonly FileRecord[]): boolean {
  return records.some(({ value }) => typeof own(value, 'kind') === 'number')
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const log = isLog(records) || (records.length === 0 && input.path?.endsWith('.jsonl') === true)
  const session = log
    ? replay(records)
    : { ...objectIn({ value }, 'value'), requests: records.map((record) => record.value) }
  const conversations = conversationsIn(session, log ? records : [])
  return sessionFile('vscode-copilot-chat', input, { records, salvage }, conversations, {
    version: own(session, 'version') === undefined ? undefined : asText(own(session, 'version')),
    sessionId: textIn(session, 'sessionId'),
  })
}

/** The session contains every mutation of its log. */
function conversationsIn(session: unknown, log: readonly FileRecord[]): readonly Conversation[] {
  const builder = new ConversationBuilder()
  listIn(session, 'requests').forEach((request, i) => {
    builder.add(messagesOf(request), log.length > 0 ? [] : [i])
  })
  for (const { index } of log) builder.include(index)
  const title = textIn(session, 'customTitle')
  return [builder.done({ id: 'main', title, dialect: 'openai-chat', provider: 'copilot', agentClosesOpenCalls: true })]
}

/** A request with the rounds of calls that its metadata lists. */
function messagesOf(request: unknown): readonly unknown[] {
  const metadata = own(own(request, 'result'), 'metadata')
  const results = objectIn(metadata, 'toolCallResults')
  const prompt = textIn(request, 'message', 'text') ?? textIn(request, 'message') ?? ''
  const rounds = listIn(metadata, 'toolCallRounds').flatMap((round) => {
    const calls = listIn(round, 'toolCalls').map((call) =>
      callOf(textIn(call, 'id'), textIn(call, 'name'), own(call, 'arguments') ?? ''),
    )
    const answered = calls.filter(({ id }) => Object.hasOwn(results, id))
    return [
      ...writer.reply({ texts: [textIn(round, 'response') ?? ''], calls }),
      ...writer.results(answered.map(({ id, name }) => ({ id, name, content: contentOf(results[id]) }))),
    ]
  })
  const text = textsOf(listIn(request, 'response'), 'value').join('')
  const replies = rounds.length > 0 ? rounds : writer.reply({ texts: [text], calls: [] })
  return [...(prompt === '' ? [] : [writer.user(prompt)]), ...replies]
}

function contentOf(result: unknown): string {
  return listIn(result, 'content')
    .map((part) => asText(own(part, 'value') ?? ''))
    .join('\n')
}

/** The head for a log whose first write failed: the session of the `.json` beside it, else one without requests. */
function headFor(input: FileInput): unknown {
  for (const [path, bytes] of input.siblings ?? []) {
    const session = path.endsWith('.json') ? parsed(bytes) : undefined
    if (Array.isArray(own(session, 'requests'))) return session
  }
  const sessionId = fileName(input.path).replace(/\.jsonl$/, '')
  return {
    version: 3,
    sessionId,
    creationDate: 0,
    responderUsername: 'GitHub Copilot',
    initialLocation: 'panel',
    requests: [],
  }
}

function check(file: SessionFile): readonly FileFault[] {
  if (!isLog(file.records) || own(file.records[0]?.value, 'kind') === 0) return []
  const bytes = lineOf({ kind: 0, v: headFor(file.input) })
  const message =
    'The log begins with a change and has no session to apply it to; VS Code cannot open the chat. The repair puts a head record first and keeps every change.'
  const fix = [{ op: 'insert', after: -1, bytes, why: 'missing head record' }] as const
  return [errorIn(file.records[0]!, 'missing-head-record', message, fix)]
}

export const vscodeCopilotChat = defineFormat({
  id: 'vscode-copilot-chat',
  title: 'VS Code Copilot Chat',
  writes: 'yes',
  storage: 'jsonl',
  recognize(input, head) {
    const inFolder = /\/(chatSessions|emptyWindowChatSessions)\/[^/]+\.jsonl?$/.test(slashed(input.path))
    const isMutation =
      head.length > 0 &&
      head.every(
        (value) =>
          typeof own(value, 'kind') === 'number' &&
          (own(value, 'kind') === 0 ? own(value, 'v') : own(value, 'k')) !== undefined,
      )
    if (isMutation) return 1
    return inFolder ? 0.9 : listIn(documentOf(input, head), 'requests').some((one) => typeOf(one).known) ? 0.6 : 0
  },
  read,
  typeOf,
  // Only a log is repaired.
  conversations: ({ records }) => conversationsIn(replay(records), records),
  check,
  apply: (file, changes) => (isLog(file.records) ? applyToLines(file, changes) : file.input.bytes),
})
