/**
 * Crush: messages in SQLite, ordered by whole seconds. A summary message replaces everything before it.
 */

import { type JsonObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { fileName, objectIn, textIn } from '../json-values.ts'
import { places } from '../places.ts'
import { serviceByName } from '../service-by-name.ts'
import { unknownTypes } from '../shared/unknown.ts'
import { groupBy } from '../shared/values.ts'
import { addRows, byColumns, jsonColumn, NO_SALVAGE, rowsOf } from '../table-rows.ts'
import type { Conversation, FileFault, FileInput, FileRecord, SessionFile, SessionFormat } from '../types.ts'

const ROLES = new Set(['user', 'assistant', 'tool', 'system'])
const KINDS = new Set(['text', 'reasoning', 'tool_call', 'tool_result', 'finish', 'image_url', 'binary'])

interface Row {
  readonly row: JsonObject
  readonly index: number
}

function read(input: FileInput): SessionFile {
  const records: FileRecord[] = []
  const sorted = rowsOf(input, 'messages').toSorted(byColumns('created_at'))
  const rows = addRows(records, sorted, (row) => {
    const odd = partsOf(row).find((part) => !KINDS.has(textIn(part, 'type') ?? ''))
    const type = odd === undefined ? wordOf(row['role']) : `part ${textIn(odd, 'type')}`
    return { type, known: odd === undefined && ROLES.has(type) }
  })
  const bySession = groupBy(rows, ({ row }) => row['session_id'])
  const conversations = rowsOf(input, 'sessions').map((session) =>
    conversationOf(session, bySession.get(session['id']) ?? []),
  )
  return { format: 'crush', input, records, salvage: NO_SALVAGE, conversations, unknown: unknownTypes(records) }
}

function partsOf(row: JsonObject): readonly unknown[] {
  const parts = jsonColumn(row, 'parts')
  return Array.isArray(parts) ? parts : []
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
    else if (i === summary) builder.add([writer.user(textsOf(row).join('\n'))], [index])
    else builder.add(messagesOf(row, writer), [index])
  })
  const info = { id: wordOf(session['id']), title: textIn(session, 'title'), model }
  return builder.done({ ...info, ...service, agentClosesOpenCalls: true })
}

function dataOf(row: JsonObject, type: string): readonly JsonObject[] {
  return partsOf(row)
    .filter((part) => own(part, 'type') === type)
    .map((part) => objectIn(part, 'data'))
}

function textsOf(row: JsonObject): readonly string[] {
  return dataOf(row, 'text').map((data) => textIn(data, 'text') ?? '')
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
  const texts = textsOf(row)
  if (row['role'] !== 'assistant') {
    const text = texts.filter((one) => one !== '').join('\n')
    return text === '' ? [] : [writer.user(text)]
  }
  const reply = writer.reply({
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
  return reply === undefined ? [] : [reply]
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap(({ value, index }) =>
    dataOf(value as JsonObject, 'tool_call')
      .filter((data) => data['finished'] === false)
      .map((data) => ({
        rule: 'tool-call-unfinished',
        severity: 'warning' as const,
        record: index,
        message: `The call ${textIn(data, 'id') ?? ''} of ${textIn(data, 'name') ?? 'a tool'} was never finished: its arguments may be incomplete. The agent leaves it out or closes it when it sends the history.`,
      })),
  )
}

export const crush: SessionFormat = {
  id: 'crush',
  title: 'Crush',
  writes: 'no',
  storage: 'sqlite',
  locate: places.crush,
  recognize: (input) =>
    input.tables
      ? Number(rowsOf(input, 'messages').some((row) => 'parts' in row && 'session_id' in row))
      : Number(fileName(input.path) === 'crush.db'),
  read,
  write: () => [],
  check,
  queries: {
    sessions: 'SELECT * FROM sessions',
    messages: 'SELECT * FROM messages ORDER BY created_at',
  },
}
