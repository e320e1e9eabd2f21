/**
 * Continue: one JSON document for each session. An element of `history` has a message and the states of its calls with
 * their output.
 */

import { own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { asText, fileName, listIn, slashed, textIn } from '../json-values.ts'
import { serviceByName } from '../service-by-name.ts'
import { callOf } from '../shared/chat-call.ts'
import { warningIn } from '../shared/faults.ts'
import { contentText, textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [['history']]
const ROLES = new Set(['user', 'assistant', 'system', 'tool', 'thinking'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'message', 'role') ?? 'no message'
  return { type: role, known: ROLES.has(role) }
}

function modelIn(records: readonly FileRecord[]): string | undefined {
  return records.map(({ value }) => textIn(value, 'message', 'usage', 'model')).findLast((name) => name !== undefined)
}

/** Calls with an output, done or failed; the others are open. */
function resultsOf(item: unknown) {
  return listIn(item, 'toolCallStates').flatMap((state) => {
    const output = own(state, 'output')
    if (!Array.isArray(output)) return []
    const [id, name] = [textIn(state, 'toolCallId') ?? '', textIn(state, 'toolCall', 'function', 'name') ?? '']
    return [{ id, name, content: textsOf(output, 'content').join('\n'), failed: own(state, 'status') === 'errored' }]
  })
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const model = modelIn(records)
  const service = serviceByName(model)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  for (const record of records) {
    const messages = messagesOf(record, writer)
    if (messages) builder.add(messages, [record.index])
    else builder.exclude(record.index, 'not-conversation')
  }
  const conversation = builder.done({ id: 'main', title: textIn(value, 'title'), ...service, model })
  return sessionFile('continue', input, { records, salvage }, [conversation], {
    sessionId: textIn(value, 'sessionId'),
    cwd: textIn(value, 'workspaceDirectory'),
  })
}

function messagesOf({ value, type }: FileRecord, writer: HistoryWriter): readonly unknown[] | undefined {
  const message = own(value, 'message')
  const content = contentText(message)
  if (type === 'user') return [writer.user(content)]
  if (type === 'system') return [writer.system(content)]
  if (type === 'tool') return writer.results([{ id: textIn(message, 'toolCallId') ?? '', name: '', content }])
  if (type !== 'assistant') return undefined
  const calls = listIn(message, 'toolCalls').map((call) =>
    callOf(textIn(call, 'id'), textIn(call, 'function', 'name'), asText(own(own(call, 'function'), 'arguments') ?? '')),
  )
  return [...writer.reply({ texts: [content], calls }), ...writer.results(resultsOf(value))]
}

const ENDED = new Set(['done', 'errored', 'canceled'])

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) =>
    listIn(record.value, 'toolCallStates').flatMap((call) => {
      const status = textIn(call, 'status') ?? 'unknown'
      if (ENDED.has(status)) return []
      const message = `The call ${textIn(call, 'toolCallId') ?? ''} is in the state "${status}"; nothing will finish it. Continue offers to run it again when the session is opened.`
      return [warningIn(record, 'tool-call-unfinished', message)]
    }),
  )
}

export const continueDev = defineFormat({
  id: 'continue',
  title: 'Continue',
  storage: 'json',
  recognize(input, head) {
    if (fileName(input.path) === 'sessions.json') return 0
    const value = documentOf(input, head)
    if (textIn(value, 'sessionId') !== undefined && Array.isArray(own(value, 'history'))) return 1
    return /\.continue\/sessions\/[^/]+\.json$/.test(slashed(input.path)) ? 0.8 : 0
  },
  read,
  check,
})
