/** Sessions of the OpenAI Agents SDK in SQLite: Responses items by id. Encrypted items cannot be read. */
import { isObject, type JsonObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { fileName } from '../json-values.ts'
import { errorIn, warningIn } from '../shared/faults.ts'
import { groupBy } from '../shared/group-by.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import { addRows, byColumns, jsonColumn, NO_SALVAGE, rowsOf } from '../table-rows.ts'
import type { FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

function itemOf(row: JsonObject): unknown {
  return jsonColumn(row, 'message_data')
}

function typeOf(row: JsonObject): { type: string; known: boolean } {
  const item = itemOf(row)
  if (own(item, '__enc__') !== undefined) return { type: 'encrypted', known: true }
  const type = own(item, 'type') ?? (own(item, 'role') === undefined ? undefined : 'message')
  return { type: typeof type === 'string' ? type : 'no item', known: isObject(item) && typeof type === 'string' }
}

function read(input: FileInput): SessionFile {
  const records: FileRecord[] = []
  const rows = addRows(records, rowsOf(input, 'agent_messages').toSorted(byColumns('id')), typeOf)
  const conversations = [...groupBy(rows, ({ row }) => row['session_id'])].map(([session, own]) => {
    const builder = new ConversationBuilder()
    for (const { row, index } of own) {
      if (records[index]!.type === 'encrypted' || !isObject(itemOf(row))) builder.exclude(index, 'unreadable')
      else builder.add([itemOf(row)], [index])
    }
    return builder.done({ id: wordOf(session), dialect: 'openai-responses', provider: 'openai-responses' })
  })
  // Items of new types appear with every release of the API; the dialect passes them on.
  return sessionFile('openai-agents', input, { records, salvage: NO_SALVAGE }, conversations, { unknown: [] })
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) => {
    const id = wordOf(own(record.value, 'id'))
    if (record.type === 'encrypted') {
      const message = `Item ${id} is encrypted and cannot be checked. Check the session with the key that wrote it.`
      return [warningIn(record, 'encrypted-item', message)]
    }
    if (isObject(itemOf(record.value as JsonObject))) return []
    const message = `Item ${id} is not JSON; the SDK skips it, and with it half of a pair perhaps. Delete the row or restore it.`
    return [errorIn(record, 'unreadable-item', message)]
  })
}

export const openaiAgents = defineFormat({
  id: 'openai-agents',
  title: 'OpenAI Agents SDK sessions',
  storage: 'sqlite',
  recognize: (input) =>
    input.tables?.['agent_messages'] ? 1 : /agents?.{0,200}\.(db|sqlite3?)$/.test(fileName(input.path)) ? 0.2 : 0,
  read,
  check,
  queries: {
    agent_sessions: 'SELECT * FROM agent_sessions',
    agent_messages: 'SELECT id, session_id, message_data, created_at FROM agent_messages ORDER BY id',
  },
})
