/** goose: messages in SQLite, before 1.20 one JSONL file for each session. Compaction sets `agentVisible` to false. */

import { isObject, type JsonObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder, type ConversationInfo } from '../conversation.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { fileName, listIn, objectIn, slashed, textIn } from '../json-values.ts'
import { readLines } from '../lines.ts'
import { serviceByName } from '../service-by-name.ts'
import { groupBy } from '../shared/group-by.ts'
import { ofType, textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import { addRows, byColumns, jsonColumn, listColumn, NO_SALVAGE, rowsOf } from '../table-rows.ts'
import type { FileInput, FileRecord, SessionFile } from '../types.ts'

const KINDS = new Set(
  'text image toolRequest toolResponse toolConfirmationRequest actionRequired thinking redactedThinking systemNotification frontendToolRequest'.split(
    ' ',
  ),
)

interface Message {
  readonly index: number
  readonly role: unknown
  readonly content: readonly unknown[]
  readonly visible: boolean
}

function read(input: FileInput): SessionFile {
  return input.tables ? readTables(input) : readJsonl(input)
}

function readTables(input: FileInput): SessionFile {
  const records: FileRecord[] = []
  const sorted = rowsOf(input, 'messages').toSorted(byColumns('created_timestamp', 'id'))
  const rows = addRows(records, sorted, (row) => typeOf(row['role'], listColumn(row, 'content_json')))
  const bySession = groupBy(rows, ({ row }) => row['session_id'])
  const sessions = rowsOf(input, 'sessions')
  const conversations = sessions.map((session) => {
    const messages = (bySession.get(session['id']) ?? []).map(({ row, index }) => ({
      index,
      role: row['role'],
      content: listColumn(row, 'content_json'),
      visible: own(jsonColumn(row, 'metadata_json'), 'agentVisible') !== false,
    }))
    const info = { id: wordOf(session['id']), title: textIn(session, 'name') ?? textIn(session, 'description') }
    return conversationOf(messages, info, namesOf(session))
  })
  const cwd = sessions.length === 1 ? textIn(sessions[0], 'working_dir') : undefined
  return sessionFile('goose', input, { records, salvage: NO_SALVAGE }, conversations, { cwd })
}

function namesOf(session: JsonObject): readonly (string | undefined)[] {
  return [textIn(session, 'provider_name'), textIn(jsonColumn(session, 'model_config_json'), 'model_name')]
}

function typeOf(role: unknown, content: readonly unknown[]): { type: string; known: boolean } {
  const unknown = content.find((part) => !KINDS.has(textIn(part, 'type') ?? ''))
  const known = (role === 'user' || role === 'assistant') && unknown === undefined
  return { type: unknown === undefined ? wordOf(role) : `content ${textIn(unknown, 'type')}`, known }
}

/** The first line is the session, each other one a message. */
function readJsonl(input: FileInput): SessionFile {
  const lines = readLines(input, (value) =>
    own(value, 'role') === undefined && own(value, 'working_dir') !== undefined
      ? { type: 'session', known: true }
      : typeOf(own(value, 'role'), listIn(value, 'content')),
  )
  const head = lines.records.find(({ type }) => type === 'session')?.value
  const messages = lines.records
    .filter(({ type }) => type !== 'session')
    .map(({ index, value }) => ({
      index,
      role: own(value, 'role'),
      content: listIn(value, 'content'),
      visible: own(own(value, 'metadata'), 'agentVisible') !== false,
    }))
  const conversation = conversationOf(messages, { id: 'main', title: textIn(head, 'description') }, [])
  return sessionFile('goose', input, lines, [conversation], { cwd: textIn(head, 'working_dir') })
}

function conversationOf(
  messages: readonly Message[],
  info: Pick<ConversationInfo, 'id' | 'title'>,
  names: readonly (string | undefined)[],
) {
  const service = serviceByName(...names)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  for (const { index, role, content, visible } of messages) {
    if (visible) builder.add(messagesOf(role, content, writer), [index])
    else builder.exclude(index, 'before-compaction')
  }
  return builder.done({ ...info, ...service, model: names[1], agentClosesOpenCalls: true })
}

function messagesOf(role: unknown, content: readonly unknown[], writer: HistoryWriter): readonly unknown[] {
  const texts = textsOf(ofType(content, 'text'))
  if (role === 'assistant') {
    const calls = ofType(content, 'toolRequest').map((part) => ({
      id: textIn(part, 'id') ?? '',
      name: textIn(part, 'toolCall', 'value', 'name') ?? '',
      arguments: objectIn(part, 'toolCall', 'value', 'arguments'),
    }))
    const reasoning = ofType(content, 'thinking').map((part) => ({
      text: textIn(part, 'thinking') ?? '',
      signature: textIn(part, 'signature'),
    }))
    return writer.reply({ texts, reasoning, calls })
  }
  const results = ofType(content, 'toolResponse').map((part) => {
    const value = own(own(part, 'toolResult'), 'value')
    const failed = textIn(part, 'toolResult', 'status') === 'error' || own(value, 'isError') === true
    const parts = Array.isArray(value) ? value : listIn(value, 'content')
    const text = textsOf(parts).join('\n')
    return {
      id: textIn(part, 'id') ?? '',
      name: '',
      content: failed && text === '' ? own(own(part, 'toolResult'), 'error') : text,
      failed,
    }
  })
  const text = texts.filter((one) => one !== '').join('\n')
  return [...writer.results(results), ...(text === '' ? [] : [writer.user(text)])]
}

export const goose = defineFormat({
  id: 'goose',
  title: 'goose',
  storage: 'sqlite',
  recognize(input, head) {
    if (input.tables) return rowsOf(input, 'messages').some((row) => 'content_json' in row) ? 1 : 0
    if (/goose\/(data\/)?sessions\//.test(slashed(input.path)) || fileName(input.path) === 'sessions.db') return 0.9
    const [first, second] = head
    return isObject(first) &&
      own(first, 'working_dir') !== undefined &&
      (second === undefined || Array.isArray(own(second, 'content')))
      ? 0.8
      : 0
  },
  read,
  queries: {
    sessions: 'SELECT * FROM sessions',
    messages: 'SELECT * FROM messages ORDER BY created_timestamp, id',
  },
})
