/**
 * opencode and Kilo: sessions, messages and parts in SQLite, before version 1.2 in files. A tool part is both a call
 * and its result.
 */

import { isObject, type JsonObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { fileName, objectIn, slashed, textIn, wordSet } from '../json-values.ts'
import { serviceByName } from '../service-by-name.ts'
import { callOf } from '../shared/chat-call.ts'
import { warningIn } from '../shared/faults.ts'
import { groupBy } from '../shared/group-by.ts'
import { ofType, textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import { addRows, jsonColumn, NO_SALVAGE, type Row } from '../table-rows.ts'
import type { Conversation, FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'
import { dataOf, opencodeRows } from './rows.ts'

const PARTS = wordSet('text reasoning file tool step-start step-finish snapshot patch agent retry subtask compaction')

function read(input: FileInput): SessionFile {
  const { sessions, messages, parts } = opencodeRows(input)
  const records: FileRecord[] = []
  const messageRows = addRows(records, messages, (row) => {
    const role = textIn(dataOf(row), 'role')
    return { type: `message/${role ?? 'unknown'}`, known: role === 'user' || role === 'assistant' }
  })
  const partRows = addRows(records, parts, (row) => {
    const type = textIn(dataOf(row), 'type') ?? 'unknown'
    return { type: `part/${type}`, known: PARTS.has(type) }
  })
  const partsOf = groupBy(partRows, ({ row }) => row['message_id'])
  const messagesOf = groupBy(messageRows, ({ row }) => row['session_id'])
  const conversations = sessions
    .toSorted((a, b) => Number(isChild(a)) - Number(isChild(b)))
    .map((session) => conversationOf(session, messagesOf.get(session['id']) ?? [], partsOf))
  const [first] = sessions
  return sessionFile('opencode', input, { records, salvage: NO_SALVAGE }, conversations, {
    version: textIn(first, 'version'),
    sessionId: sessions.length === 1 ? textIn(first, 'id') : undefined,
    cwd: textIn(first, 'directory'),
  })
}

function isChild(session: JsonObject): boolean {
  return (session['parent_id'] ?? session['parentID'] ?? null) !== null
}

function conversationOf(
  session: JsonObject,
  rows: readonly Row[],
  partsOf: ReadonlyMap<unknown, readonly Row[]>,
): Conversation {
  const last = rows.findLast(({ row }) => textIn(dataOf(row), 'modelID') !== undefined)
  const model = last ? textIn(dataOf(last.row), 'modelID') : undefined
  const service = serviceByName(last ? textIn(dataOf(last.row), 'providerID') : undefined, model)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  const start = startOf(rows, partsOf)
  const revert = textIn(jsonColumn(session, 'revert'), 'messageID')
  rows.forEach(({ row, index }, i) => {
    const parts = partsOf.get(row['id']) ?? []
    const records = [index, ...parts.map((part) => part.index)]
    const because =
      i < start ? 'before-compaction' : revert !== undefined && wordOf(row['id']) >= revert ? 'superseded' : undefined
    if (because !== undefined) for (const record of records) builder.exclude(record, because)
    else {
      const data = parts.map((part) => dataOf(part.row))
      builder.add(messagesOf(dataOf(row), data, writer), records)
    }
  })
  const info = { id: textIn(session, 'id') ?? 'main', title: textIn(session, 'title'), model }
  return builder.done({ ...info, ...service, agentClosesOpenCalls: true })
}

/**
 * The first message that is sent: the prompt of the newest finished summary, or the start of the tail that it keeps.
 */
function startOf(rows: readonly Row[], partsOf: ReadonlyMap<unknown, readonly Row[]>): number {
  const done = rows.findLast(({ row }) => {
    const data = dataOf(row)
    return own(data, 'summary') === true && own(data, 'finish') !== undefined
  })
  if (!done) return 0
  const prompt = textIn(dataOf(done.row), 'parentID')
  const at = rows.findIndex(({ row }) => row['id'] === prompt)
  const data = (partsOf.get(prompt) ?? []).map(({ row }) => dataOf(row))
  const [part] = ofType(data, 'compaction')
  const tail = rows.findIndex(({ row }) => row['id'] === own(part, 'tail_start_id'))
  return tail >= 0 ? Math.min(tail, at < 0 ? tail : at) : Math.max(at, 0)
}

function messagesOf(data: unknown, parts: readonly unknown[], writer: HistoryWriter): readonly unknown[] {
  if (own(data, 'role') === 'user') {
    const texts = textsOf(ofType(parts, 'text'))
    const text = texts.filter((one) => one !== '').join('\n')
    return text === '' ? [] : [writer.user(text)]
  }
  return withRetried(stepsOf(parts)).flatMap((step) => stepMessages(step, writer))
}

/** A step without text and calls was retried in the next step. The agent sends both as one answer. */
function withRetried(steps: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const out: (readonly unknown[])[] = []
  let before: readonly unknown[] = []
  steps.forEach((step, i) => {
    const answers = step.some(
      (part) => own(part, 'type') === 'tool' || ((textIn(part, 'text') ?? '') !== '' && own(part, 'type') === 'text'),
    )
    if (!answers && i < steps.length - 1) before = [...before, ...step]
    else {
      out.push([...before, ...step])
      before = []
    }
  })
  return out
}

function stepsOf(parts: readonly unknown[]): readonly (readonly unknown[])[] {
  const steps: unknown[][] = [[]]
  for (const part of parts) {
    if (own(part, 'type') === 'step-start') steps.push([])
    else steps.at(-1)!.push(part)
  }
  return steps
}

function stepMessages(parts: readonly unknown[], writer: HistoryWriter): readonly unknown[] {
  const tools = ofType(parts, 'tool')
  const reply = writer.reply({
    texts: textsOf(ofType(parts, 'text')),
    reasoning: ofType(parts, 'reasoning').map((part) => ({
      text: textIn(part, 'text') ?? '',
      signature: textIn(part, 'metadata', 'anthropic', 'signature'),
    })),
    calls: tools.map((part) => callOf(textIn(part, 'callID'), textIn(part, 'tool'), objectIn(part, 'state', 'input'))),
  })
  return [...reply, ...writer.results(tools.flatMap(resultOf))]
}

function resultOf(part: unknown) {
  const state = objectIn(part, 'state')
  const base = { id: textIn(part, 'callID') ?? '', name: textIn(part, 'tool') ?? '' }
  if (state['status'] === 'error') return [{ ...base, content: textIn(state, 'error') ?? '', failed: true }]
  if (state['status'] !== 'completed') return []
  const pruned = own(state['time'], 'compacted') !== undefined
  return [{ ...base, content: pruned ? '[Old tool result content cleared]' : (textIn(state, 'output') ?? '') }]
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) => {
    const data = record.type === 'part/tool' && isObject(record.value) ? dataOf(record.value) : undefined
    const status = textIn(data, 'state', 'status')
    if (status !== 'running' && status !== 'pending') return []
    const message = `The tool part ${textIn(data, 'callID') ?? ''} is in the state "${status}" although nothing runs it; the agent sends that it was interrupted, and shows it as running.`
    return [warningIn(record, 'tool-part-unfinished', message)]
  })
}

export const opencode = defineFormat({
  id: 'opencode',
  title: 'opencode and Kilo',
  storage: 'sqlite',
  recognize(input, head) {
    if (input.tables) return input.tables['part'] && input.tables['message'] ? 1 : 0
    if (/^(opencode|kilo)[^/]*\.db$/.test(fileName(input.path))) return 1
    const isFile = /storage\/session\/[^/]+\/ses_[^/]+\.json$/.test(slashed(input.path))
    return isFile || /^ses_/.test(textIn(head[0], 'id') ?? '') ? 0.9 : 0
  },
  read,
  check,
  queries: {
    session: 'SELECT * FROM session WHERE time_archived IS NULL',
    message: 'SELECT id, session_id, time_created, data FROM message ORDER BY time_created, id',
    part: 'SELECT id, message_id, session_id, data FROM part ORDER BY id',
  },
})
