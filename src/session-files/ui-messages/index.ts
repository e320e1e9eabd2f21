/** `UIMessage[]` of the AI SDK, as an application stores it: a list, or a list under `messages`. */
import { align, apply, isObject, own, type Patch, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { isRecordOf } from '../dataset.ts'
import { applyToElements, documentOf, firstElements, pathIn, readElements } from '../elements.ts'
import { elementWriter } from '../json-document.ts'
import { listIn, textIn } from '../json-values.ts'
import { warningIn } from '../shared/faults.ts'
import { lineOf } from '../shared/line.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileFault, FileInput, FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { fromModelMessages, isStreamed, toModelMessages } from './model-messages.ts'

const PATHS: readonly Path[] = [['messages'], []]
const ROLES = new Set(['system', 'user', 'assistant'])
const PART = /^(text|reasoning|file|step-start|dynamic-tool|(tool|source|data)-.*)$/

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'role')
  return {
    type: role ?? 'no message',
    known: role !== undefined && ROLES.has(role) && Array.isArray(own(value, 'parts')) && hasParts(value),
  }
}

function hasParts(message: unknown): boolean {
  const parts = listIn(message, 'parts')
  return parts.length === 0 || parts.some((part) => PART.test(textIn(part, 'type') ?? ''))
}

function isRecord(value: unknown): boolean {
  return typeOf(value).known
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf, isRecord)
  const sessionId = textIn(value, 'id') ?? textIn(value, 'chatId')
  return sessionFile('ui-messages', input, { records, salvage }, conversations({ records }), { sessionId })
}

function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const builder = new ConversationBuilder()
  for (const { value, index, known } of records) {
    if (known) builder.add(toModelMessages(value), [index])
    else builder.exclude(index, 'unreadable')
  }
  return [builder.done({ id: 'main', dialect: 'ai-sdk', provider: 'ai-sdk' })]
}

/** New messages belong to the record of the message before them: a result follows its call. */
function write(file: SessionFile, { history, sources }: Conversation, patch: Patch): readonly RecordEdit[] {
  const now = apply(history, patch)
  if (now === history) return []
  const isMadeFrom = [(was: number, is: number) => own(history[was], 'role') === own(now[is], 'role')]
  let current = sources[0]?.[0] ?? 0
  const records = align(history, now, { isMadeFrom }).map(({ from }) => {
    if (from >= 0) current = sources[from]![0]!
    return current
  })
  const path = pathIn(file.input, PATHS, isRecord)
  const bytesOf = path ? elementWriter(file.input.bytes, path) : lineOf
  return [...new Set(sources.map(([record]) => record!))].flatMap((record): readonly RecordEdit[] => {
    const before = history.filter((_, i) => sources[i]![0] === record)
    const after = now.filter((_, i) => records[i] === record)
    if (before.length === after.length && before.every((message, i) => message === after[i])) return []
    if (after.length === 0) return [{ op: 'remove', record }]
    return [{ op: 'replace', record, bytes: bytesOf(fromModelMessages(after, file.records[record]!.value)) }]
  })
}

function check(file: SessionFile): readonly FileFault[] {
  const seen = new Set<string>()
  return file.records.flatMap((record) => {
    const faults: FileFault[] = []
    const id = textIn(record.value, 'id')
    if (id !== undefined && seen.has(id)) {
      const message = `The message id "${id}" occurs twice; the interface shows one of the two. Give one of them a new id.`
      faults.push(warningIn(record, 'duplicate-message-id', message))
    }
    if (id !== undefined) seen.add(id)
    const streamed = listIn(record.value, 'parts').filter(isStreamed)
    return [...faults, ...streamed.map((part) => unfinishedPart(record, part))]
  })
}

function unfinishedPart(record: FileRecord, part: unknown): FileFault {
  const id = textIn(part, 'toolCallId') ?? 'without id'
  const message = `The tool part ${id} is in the state "input-streaming"; the SDK leaves the call out of the next request.`
  return warningIn(record, 'tool-part-unfinished', message)
}

export const uiMessages = defineFormat({
  id: 'ui-messages',
  title: 'AI SDK UI messages',
  writes: 'yes',
  storage: 'json',
  recognize(input, given) {
    const value = documentOf(input, given)
    const list = isRecordOf(value, 'messages') ? listIn(value, 'messages') : firstElements(input, given)
    const some = list.filter(isObject).slice(0, 8)
    return some.length > 0 &&
      some.every(
        (message) =>
          typeOf(message).known && listIn(message, 'parts').every((part) => typeof own(part, 'type') === 'string'),
      )
      ? 0.95
      : 0
  },
  read,
  typeOf,
  conversations,
  write,
  check,
  apply: (file, changes) => applyToElements(file, PATHS, changes, isRecord),
})
