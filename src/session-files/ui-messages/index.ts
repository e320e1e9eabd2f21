/**
 * `UIMessage[]` of the AI SDK, as an application stores it: a list, or a list under `messages`.
 */
import { apply, isObject, own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { applyToElements, firstValues, pathIn, readElements } from '../elements.ts'
import { elementWriter } from '../json-document.ts'
import { listIn, textIn } from '../json-values.ts'
import { lineOf } from '../shared/line.ts'
import { unknownTypes } from '../shared/session-file.ts'
import type { Conversation, FileFault, FileInput, RecordEdit, SessionFile, SessionFormat } from '../types.ts'
import { fromModelMessages, isTool, toModelMessages } from './model-messages.ts'

const PATHS: readonly Path[] = [['messages'], []]
const ROLES = new Set(['system', 'user', 'assistant'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'role')
  return {
    type: role ?? 'no message',
    known: role !== undefined && ROLES.has(role) && Array.isArray(own(value, 'parts')),
  }
}

function isRecord(value: unknown): boolean {
  return typeOf(value).known
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf, isRecord)
  return {
    format: 'ui-messages',
    sessionId: textIn(value, 'id') ?? textIn(value, 'chatId'),
    input,
    records,
    salvage,
    conversations: conversations({ records }),
    unknown: unknownTypes(records),
  }
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
function write(
  file: SessionFile,
  { history, sources }: Conversation,
  patch: Parameters<SessionFormat['write']>[2],
): readonly RecordEdit[] {
  const now = apply(history, patch)
  if (now === history) return []
  const recordOf = new Map<unknown, number>()
  history.forEach((message, i) => {
    recordOf.set(message, sources[i]![0]!)
  })
  const groups = groupByRecord(now, recordOf, sources)
  const path = pathIn(file.input, PATHS, isRecord)
  const bytesOf = path ? elementWriter(file.input.bytes, path) : lineOf
  const changes: RecordEdit[] = []
  for (const record of new Set(sources.map(([index]) => index!))) {
    const before = history.filter((_, i) => sources[i]![0] === record)
    const after = groups.get(record) ?? []
    if (before.length === after.length && before.every((message, i) => message === after[i])) continue
    if (after.length === 0) changes.push({ op: 'remove', record })
    else {
      const value = fromModelMessages(after, file.records[record]!.value)
      changes.push({ op: 'replace', record, bytes: bytesOf(value) })
    }
  }
  return changes
}

function groupByRecord(
  now: readonly unknown[],
  recordOf: ReadonlyMap<unknown, number>,
  sources: Conversation['sources'],
): ReadonlyMap<number, readonly unknown[]> {
  const groups = new Map<number, unknown[]>()
  let current = sources[0]?.[0] ?? 0
  now.forEach((message, i) => {
    const own = recordOf.get(message)
    // A changed message at the end of a run takes the place of the next record's if that record has none left.
    current = own ?? nextRecord(now, i, recordOf, current, sources)
    groups.set(current, [...(groups.get(current) ?? []), message])
  })
  return groups
}

/** A changed message keeps its record: the one whose tool call or role it has, else the one before it. */
function nextRecord(
  now: readonly unknown[],
  index: number,
  recordOf: ReadonlyMap<unknown, number>,
  current: number,
  sources: Conversation['sources'],
): number {
  if (own(now[index], 'role') === 'tool') return current
  const following = now
    .slice(index + 1)
    .map((message) => recordOf.get(message))
    .find((record) => record !== undefined)
  const candidates = [...new Set(sources.map(([record]) => record!))].filter(
    (record) => record > current && (following === undefined || record <= following),
  )
  const present = new Set(now.map((message) => recordOf.get(message)))
  return candidates.find((record) => !present.has(record)) ?? current
}

function check(file: SessionFile): readonly FileFault[] {
  const seen = new Set<string>()
  return file.records.flatMap(({ value, index, line }) => {
    const faults: FileFault[] = []
    const id = textIn(value, 'id')
    if (id !== undefined && seen.has(id))
      faults.push({
        rule: 'duplicate-message-id',
        severity: 'warning',
        record: index,
        line,
        message: `The message id "${id}" occurs twice; the interface shows one of the two. Give one of them a new id.`,
      })
    if (id !== undefined) seen.add(id)
    for (const part of listIn(value, 'parts')) {
      const state = textIn(part, 'state')
      if (isTool(part) && state === 'input-streaming')
        faults.push({
          rule: 'tool-part-unfinished',
          severity: 'warning',
          record: index,
          line,
          message: `The tool part ${textIn(part, 'toolCallId') ?? 'without id'} is in the state "${state}"; the SDK leaves the call out of the next request.`,
        })
    }
    return faults
  })
}

export const uiMessages: SessionFormat = {
  id: 'ui-messages',
  title: 'AI SDK UI messages',
  writes: 'yes',
  storage: 'json',
  locate: () => [],
  recognize(input, given) {
    const head = firstValues(input, given)
    const first =
      head.length === 1 && isObject(head[0]) && Array.isArray(head[0]['messages'])
        ? head[0]['messages']
        : head.length === 1 && Array.isArray(head[0])
          ? head[0]
          : head
    const some = first.filter(isObject).slice(0, 8)
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
}
