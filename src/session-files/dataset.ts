/**
 * Formats in which each record is a conversation of its own: a line of JSONL, or an element of a JSON list.
 * A record is written by changing elements of the message list inside it; everything else in it keeps its bytes.
 */
import { apply, isObject, type Patch, type Path } from '../core/index.ts'
import { type ConversationInfo, oneRecord } from './conversation.ts'
import { applyToElements, readElements, type ToRecord } from './elements.ts'
import { applyToDocument, elementWriter, readDocument } from './json-document.ts'
import { parsed } from './lines.ts'
import { listChanges } from './list-changes.ts'
import { recordBytes } from './record-draft.ts'
import { sessionFile } from './shared/session-file.ts'
import type {
  Conversation,
  DatasetLines,
  FileFault,
  FileInput,
  RecordType,
  SessionFile,
  SessionFormat,
} from './types.ts'

/** A list of messages inside a record. */
export interface MessageList {
  readonly path: Path
  /** The list's messages, one for each element. */
  readonly messages: readonly unknown[]
  readonly info: Omit<ConversationInfo, 'id'>
  readonly toRecord?: ToRecord
}

export interface DatasetShape {
  readonly id: string
  /** Record lists of a JSON document; empty for JSONL. */
  readonly paths: readonly Path[]
  typeOf(value: unknown): RecordType
  lists(value: unknown): readonly MessageList[]
  check(value: unknown): readonly RecordFault[]
}

/** A fault of the record that is checked. */
export type RecordFault = Pick<FileFault, 'rule' | 'severity' | 'message'>

const KEPT: RecordType = { type: 'element', known: true }

/** Read, write, check and apply of a data set. The format adds its places and how it is recognized. */
export function datasetFunctions(
  shape: DatasetShape,
): Required<Pick<SessionFormat, 'read' | 'typeOf' | 'conversations' | 'write' | 'check' | 'apply' | 'dataset'>> {
  return {
    read: (input) => readDataset(shape, input),
    typeOf: shape.typeOf,
    conversations: ({ records }) => allConversations(shape, records),
    write(file, conversation, patch) {
      const record = file.records[conversation.sources[0]?.[0] ?? -1]
      if (!record) return []
      const was = recordBytes(file, record)
      const bytes = rewritten(shape, was, conversation, patch)
      return bytes === was ? [] : [{ op: 'replace', record: record.index, bytes }]
    },
    check: (file) =>
      file.records.flatMap(({ value, index, line }) =>
        shape.check(value).map((fault) => ({ ...fault, record: index, line })),
      ),
    apply: (file, changes) => applyToElements(file, shape.paths, changes, envelopeOf(shape)),
    dataset: linesOf(shape),
  }
}

function linesOf(shape: DatasetShape): DatasetLines {
  return {
    read: (value, index) => conversationsOf(shape, value, index, `line ${index + 1}`),
    check: (value, index) => shape.check(value).map((fault) => ({ ...fault, record: index, line: index + 1 })),
  }
}

/** A part of a damaged record has no list of messages. */
function envelopeOf(shape: DatasetShape): (value: unknown) => boolean {
  return (value) => isObject(value) && shape.typeOf(value).known
}

function readDataset(shape: DatasetShape, input: FileInput): SessionFile {
  const elements = readElements(input, shape.paths, (value) => shape.typeOf(value), envelopeOf(shape))
  return sessionFile(shape.id, input, elements, allConversations(shape, elements.records))
}

function allConversations(shape: DatasetShape, records: SessionFile['records']): readonly Conversation[] {
  // A JSON list may have all its elements in one line.
  const isShared = records.some(({ line }, i) => line === records[i - 1]?.line)
  return records.flatMap(({ value, index, line }) =>
    conversationsOf(shape, value, index, isShared ? `line ${line}, element ${index + 1}` : `line ${line}`),
  )
}

function conversationsOf(shape: DatasetShape, value: unknown, record: number, name: string): readonly Conversation[] {
  const lists = shape.lists(value)
  return lists.map(({ messages, info, path }) =>
    oneRecord(messages, record, lists.length > 1 ? `${name} ${path.join('.')}` : name, info),
  )
}

/** The record's bytes after a repair of one of its lists. */
function rewritten(shape: DatasetShape, bytes: Uint8Array, conversation: Conversation, patch: Patch): Uint8Array {
  const now = apply(conversation.history, patch)
  if (now === conversation.history) return bytes
  const lists = shape.lists(parsed(bytes))
  const list = lists.length === 1 ? lists[0] : lists.find(({ path }) => conversation.id.endsWith(` ${path.join('.')}`))
  return list ? withList(bytes, list, conversation.history, now) : bytes
}

function withList(
  bytes: Uint8Array,
  list: MessageList,
  before: readonly unknown[],
  now: readonly unknown[],
): Uint8Array {
  const document = readDocument(bytes, [list.path], () => KEPT)
  if (!document || document.records.length !== before.length) return bytes
  const { records, salvage } = document
  const file: SessionFile = { format: '', input: { bytes }, records, salvage, conversations: [], unknown: [] }
  const bytesOf = elementWriter(bytes, list.path)
  const changes = listChanges(before, now, {
    records: records.map(({ index }) => index),
    bytesOf: (record) => bytes.subarray(records[record]!.start, records[record]!.end),
    write(message, was) {
      const old = was === undefined ? undefined : records[was]!.value
      return bytesOf(list.toRecord ? list.toRecord(message, old) : message)
    },
  })
  return applyToDocument(file, list.path, changes)
}

export function isRecordOf(value: unknown, key: string): boolean {
  return isObject(value) && Array.isArray(value[key])
}
