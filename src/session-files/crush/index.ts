/** Crush: messages in SQLite, ordered by whole seconds. A summary message replaces everything before it. */

import { type JsonObject, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { fileName, objectIn, textIn } from '../json-values.ts'
import { serviceByName } from '../service-by-name.ts'
import { warningIn } from '../shared/faults.ts'
import { groupBy } from '../shared/group-by.ts'
import { ofType, textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import { addRows, byColumns, listColumn, NO_SALVAGE, type Row, rowsOf } from '../table-rows.ts'
import type { Conversation, FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

const ROLES = new Set(['user', 'assistant', 'tool', 'system'])
const KINDS = new Set(['text', 'reasoning', 'tool_call', 'tool_result', 'finish', 'image_url', 'binary'])

function read(input: FileInput): SessionFile {
  const records: FileRecord[] = []
  const sorted = rowsOf(input, 'messages').toSorted(byColumns('created_at'))
  const rows = addRows(records, sorted, (row) => {
    const unknown = listColumn(row, 'parts').find((part) => !KINDS.has(textIn(part, 'type') ?? ''))
    const type = unknown === undefined ? wordOf(row['role']) : `part ${textIn(unknown, 'type')}`
    return { type, known: unknown === undefined && ROLES.has(type) }
  })
  const bySession = groupBy(rows, ({ row }) => row['session_id'])
  const conversations = rowsOf(input, 'sessions').map((session) =>
    conversationOf(session, bySession.get(session['id']) ?? []),
  )
  return sessionFile('crush', input, { records, salvage: NO_SALVAGE }, conversations)
}

function conversationOf(session: JsonObject, rows: readonly Row[]): Conversation {
  const last = rows.findLast(({ row }) => typeof row['model'] === 'string' && row['model'] !== '')?.row
  const model = textIn(last, 'model')
  const service = serviceByName(textIn(last, 'provider'), model)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  const summary = rows.findIndex(({ row }) => row['id'] === session['summary_message_id'] && row['id'] !== undefined)
  rows.forEach(({ row, index }, i) => {
    if (i < summary) builder.exclude(index, 'before-compaction')
    else if (i === summary) builder.add([writer.user(textsOf(dataOf(row, 'text')).join('\n'))], [index])
    else builder.add(messagesOf(row, writer), [index])
  })
  const info = { id: wordOf(session['id']), title: textIn(session, 'title'), model }
  return builder.done({ ...info, ...service, agentClosesOpenCalls: true })
}

function dataOf(row: JsonObject, type: string): readonly JsonObject[] {
  return ofType(listColumn(row, 'parts'), type).map((part) => objectIn(part, 'data'))
}

function messagesOf(row: JsonObject, writer: HistoryWriter): readonly unknown[] {
  if (row['role'] === 'tool')
    return writer.results(
      dataOf(row, 'tool_result').map((data) => ({
        id: textIn(data, 'tool_call_id') ?? '',
        name: textIn(data, 'name') ?? '',
        content: textIn(data, 'content') ?? '',
        failed: data['is_error'] === true,
      })),
    )
  const texts = textsOf(dataOf(row, 'text'))
  if (row['role'] !== 'assistant') {
    const text = texts.filter((one) => one !== '').join('\n')
    return text === '' ? [] : [writer.user(text)]
  }
  return writer.reply({
    texts,
    reasoning: dataOf(row, 'reasoning').map((data) => ({
      text: textIn(data, 'thinking') ?? '',
      signature: textIn(data, 'signature') || undefined,
    })),
    calls: dataOf(row, 'tool_call').map((data) => ({
      id: textIn(data, 'id') ?? '',
      name: textIn(data, 'name') ?? '',
      arguments: textIn(data, 'input') ?? '',
    })),
  })
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) =>
    dataOf(record.value as JsonObject, 'tool_call').flatMap((call) => {
      if (call['finished'] !== false) return []
      const message = `The call ${textIn(call, 'id') ?? ''} of ${textIn(call, 'name') ?? 'a tool'} was never finished: its arguments may be incomplete. The agent leaves it out or closes it when it sends the history.`
      return [warningIn(record, 'tool-call-unfinished', message)]
    }),
  )
}

export const crush = defineFormat({
  id: 'crush',
  title: 'Crush',
  storage: 'sqlite',
  recognize: (input) =>
    input.tables
      ? Number(rowsOf(input, 'messages').some((row) => 'parts' in row && 'session_id' in row))
      : Number(fileName(input.path) === 'crush.db'),
  read,
  check,
  queries: {
    sessions: 'SELECT * FROM sessions',
    messages: 'SELECT * FROM messages ORDER BY created_at',
  },
})
