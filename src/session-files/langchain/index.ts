/**
 * LangChain dumps: lists of stored messages (`messages_to_dict`, `toDict`), serialized constructors (`lc`), plain
 * fields, and graph states with such a list. The dialect reads all of these forms.
 */
import { isObject, own, type Path, valueAt } from '../../core/index.ts'
import { detect } from '../../dialects/detect.ts'
import { oneMessagePerRecord } from '../conversation.ts'
import { applyToElements, changesForRecords, firstValues, pathIn, readElements } from '../elements.ts'
import { textIn, wordSet } from '../json-values.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileInput, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [
  ['messages'],
  ['values', 'messages'],
  ['channel_values', 'messages'],
  ['checkpoint', 'channel_values', 'messages'],
  ['kwargs', 'messages'],
  [],
]

const TYPES = wordSet('human ai system tool function chat generic remove AIMessageChunk user assistant')

function typeOf(value: unknown): { type: string; known: boolean } {
  const id = own(value, 'id')
  const className = own(value, 'lc') === 1 && Array.isArray(id) ? id.at(-1) : undefined
  if (typeof className === 'string') return { type: className, known: /Message(Chunk)?$/.test(className) }
  const type = textIn(value, 'type') ?? textIn(value, 'role') ?? 'no message'
  return { type, known: TYPES.has(type) }
}

/** Parts of messages have a type, too; a message has content, data, or is a constructor. */
function isRecord(value: unknown): boolean {
  return typeOf(value).known && ['data', 'content', 'kwargs'].some((key) => own(value, key) !== undefined)
}

function read(input: FileInput): SessionFile {
  const elements = readElements(input, PATHS, typeOf, isRecord)
  return sessionFile('langchain', input, elements, conversations(elements))
}

function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  return [oneMessagePerRecord(records, { id: 'main', dialect: 'langchain', provider: 'langchain' })]
}

export const langchain = defineFormat({
  id: 'langchain',
  title: 'LangChain messages',
  writes: 'yes',
  storage: 'json',
  recognize(input, given) {
    const head = firstValues(input, given)
    const lists = head.length > 1 ? [head] : PATHS.map((path) => valueAt(head[0], path))
    const list: readonly unknown[] = lists.find(Array.isArray) ?? head
    if (list.length === 0 || detect(list) !== 'langchain') return 0
    return list.some((message) => isObject(own(message, 'data')) || own(message, 'lc') === 1) ? 1 : 0.6
  },
  read,
  typeOf,
  conversations,
  write: (file, conversation, patch) =>
    changesForRecords(file, pathIn(file.input, PATHS, isRecord), conversation, patch),
  apply: (file, changes) => applyToElements(file, PATHS, changes, isRecord),
})
