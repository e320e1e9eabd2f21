/**
 * Histories and request bodies of every dialect: one JSON document, a message on each line, or many histories, bodies or
 * requests of a batch, one on each line or as a JSON list.
 */
import { isObject, own, type Path, readMessage, valueAt } from '../../core/index.ts'
import { detect } from '../../dialects/detect.ts'
import { dialects } from '../../dialects/index.ts'
import { providers } from '../../providers/index.ts'
import { oneMessagePerRecord } from '../conversation.ts'
import { type DatasetShape, datasetFunctions, type MessageList } from '../dataset.ts'
import {
  applyToElements,
  changesForRecords,
  documentOf,
  firstValues,
  isDamagedDocument,
  pathIn,
  readElements,
} from '../elements.ts'
import { skipSpace, valueEnd } from '../json-spans.ts'
import { listIn, textIn } from '../json-values.ts'
import { parsed, utf8Of } from '../lines.ts'
import { afterMark } from '../salvage/bytes.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileInput, SessionFile } from '../types.ts'
import { isKnownType } from '../unread-parts.ts'
import { batchOutcome, bodyPath, outcomeFaults } from './batch.ts'

/** Where a request body has its messages. */
export const BODY_KEYS = ['messages', 'contents', 'input'] as const
const PATHS: readonly Path[] = [...BODY_KEYS.map((key) => [key]), []]

interface Served {
  readonly dialect: string
  readonly provider: string
}

/** The first provider of each dialect for which the dialect comes first. */
const SERVED = new Map<string | undefined, Served>(
  providers
    .map(({ id, serves }) => [serves[0]!.dialect.id, id] as const)
    .reverse()
    .map(([dialect, provider]) => [dialect, { dialect, provider }]),
)

function serviceOf(dialect: string | undefined): Served {
  return SERVED.get(dialect) ?? SERVED.get('openai-chat')!
}

const ROOT: Path = []
/** Messages that show whether a list is one of messages. */
const FIRST = 8

/** Called for each line of a data set. */
function listOf(value: unknown): MessageList | undefined {
  if (Array.isArray(value)) return { path: ROOT, messages: value, info: serviceOf(detect(value)) }
  const path = bodyPath(value)
  const body = valueAt(value, path)
  const key = listKeyOf(body)
  if (key === undefined) return undefined
  const info = {
    ...serviceOf(detect(body)),
    model: textIn(body, 'model') ?? textIn(value, 'modelId'),
    request: body as object,
  }
  return { path: [...path, key], messages: listIn(body, key), info }
}

function listKeyOf(body: unknown): string | undefined {
  return BODY_KEYS.find((key) => Array.isArray(own(body, key)))
}

const records: DatasetShape = {
  id: 'plain',
  paths: [['requests'], ROOT],
  typeOf(value) {
    const outcome = batchOutcome(value)
    if (outcome) return { type: outcome.type, known: true }
    return { type: Array.isArray(value) ? 'history' : 'body', known: listOf(value) !== undefined }
  },
  lists(value) {
    const list = listOf(value)
    return list ? [list] : []
  },
  check: outcomeFaults,
}
const perRecord = datasetFunctions(records)

function isMessage(value: unknown): boolean {
  return (
    isObject(value) &&
    (typeof value['role'] === 'string' || typeof value['type'] === 'string' || Array.isArray(value['parts']))
  )
}

/** A document with one request of a batch, or with a list of them. */
function isBatch(value: unknown): boolean {
  const [first = value] = listIn(value, 'requests')
  return bodyPath(first).length > 0 || batchOutcome(first) !== undefined
}

/** Whether each line, or each element of a list, is a history or a body. */
function isDataset(input: FileInput): boolean {
  if (isBatch(firstValues(input, [])[0])) return true
  const path = pathIn(input, PATHS, isRecord)
  if (path === undefined) return perRecord.read(input).records.some(({ known }) => known)
  const elements = path.length === 0 ? elementsOf(input) : undefined
  return Array.isArray(elements) && isListOfHistories(elements)
}

/** The elements of the list that the file is. Of a damaged one only the first, which shows what the others are. */
function elementsOf(input: FileInput): unknown {
  if (!isDamagedDocument(input)) return documentOf(input, [])
  const bytes = utf8Of(input.bytes)
  const start = skipSpace(bytes, skipSpace(bytes, afterMark(bytes)) + 1)
  return [parsed(bytes.subarray(start, valueEnd(bytes, start)))]
}

/**
 * Not a list of messages. A list of anything else, and a history of a dialect without a provider, is not understood.
 */
function isListOfHistories(elements: readonly unknown[]): boolean {
  return elements.some(isHistory) && !elements.some(isRecord)
}

function isHistory(value: unknown): boolean {
  const dialect = detect(value)
  return (dialect === undefined || SERVED.has(dialect)) && (listOf(value)?.messages.some(isRecord) ?? false)
}

/** The first line of JSONL if it is a list: such a line is no record of another format. */
function firstLine({ bytes }: FileInput): readonly unknown[] {
  const text = utf8Of(bytes)
  const newline = text.indexOf(0x0a)
  const value = newline < 0 ? undefined : parsed(text.subarray(afterMark(text), newline))
  return Array.isArray(value) ? [value] : []
}

function typeOf(value: unknown): { type: string; known: boolean } {
  const [role, type] = [textIn(value, 'role'), textIn(value, 'type')]
  const isKnown = role !== undefined || type === undefined || isKnownType(type)
  return { type: role ?? type ?? 'no message', known: isMessage(value) && isKnown }
}

/**
 * A message has a role and a body, an item of the Responses API a type of this form. Parts of messages have neither.
 */
function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false
  const isItem = /^(message|reasoning|compaction|item_reference|[a-z_]+_call|[a-z_]+_call_output)$/.test(
    textIn(value, 'type') ?? '',
  )
  const body = ['content', 'parts', 'tool_calls', 'function_call'].some((key) => own(value, key) !== undefined)
  return isItem || (textIn(value, 'role') !== undefined && body)
}

function read(input: FileInput): SessionFile {
  if (isDataset(input)) return perRecord.read(input)
  const { records: elements, salvage, value } = readElements(input, PATHS, typeOf, isRecord)
  const messages = elements.map((one) => one.value)
  const service = serviceOf(detect(isObject(value) ? { ...value, ...withList(value, messages) } : messages))
  const conversation = oneMessagePerRecord(elements, {
    ...service,
    id: 'main',
    model: textIn(value, 'model'),
    request: isObject(value) ? value : undefined,
  })
  // Messages of unknown shape are found by the checks; they do not make the format unknown.
  return sessionFile('plain', input, { records: elements, salvage }, [conversation], { unknown: [] })
}

/** Of changed records. Dialect and provider of the file stay the same. */
function conversations(file: SessionFile): readonly Conversation[] {
  const [first] = file.conversations
  if (first?.id !== 'main') return perRecord.conversations(file)
  const { id, dialect, provider, model, request } = first
  return [oneMessagePerRecord(file.records, { id, dialect, provider, model, request })]
}

/** Whether the dialect reads some message of the list. An empty list is a history, too. */
function isReadable(list: readonly unknown[], named: string): boolean {
  const dialect = dialects.find(({ id }) => id === named)!
  const isRead = (message: object, i: number) =>
    readMessage(message, dialect, i).parts.some(({ kind }) => kind !== 'opaque')
  return (
    list.length === 0 ||
    list
      .slice(0, FIRST)
      .filter(isObject)
      .some((one, i) => isEmptyMessage(one) || isRead(one, i))
  )
}

function isEmptyMessage(message: object): boolean {
  const body = own(message, 'content') ?? own(message, 'parts') ?? ''
  return isRecord(message) && (body === '' || (Array.isArray(body) && body.length === 0))
}

/** The body with the messages that could be read: a damaged document has an empty list. */
function withList(body: object, messages: readonly unknown[]): object {
  const key = listKeyOf(body)
  return key === undefined ? {} : { [key]: messages }
}

/** How surely this is a history, a body, or a request or outcome of a batch. */
function score(value: unknown): number {
  if (batchOutcome(value)) return 0.4
  const list = listOf(value)
  if (!list || !isReadable(list.messages, list.info.dialect)) return 0
  if (detect(valueAt(value, list.path.slice(0, -1))) !== undefined) return 0.4
  return list.messages.length === 0 || list.messages.some(isRecord) ? 0.1 : 0
}

export const plain = defineFormat({
  id: 'plain',
  title: 'JSON history or request body',
  writes: 'yes',
  storage: 'json',
  recognize(input, given) {
    const head = firstValues(input, given)
    const [first] = head.length > 0 ? head : firstLine(input)
    if (Array.isArray(first) && isListOfHistories(first)) return 0.4
    const [one = first] = listIn(first, 'requests')
    if (listOf(one) || batchOutcome(one)) return score(one)
    return isMessage(first) && isReadable(head, serviceOf(detect(head)).dialect) ? 0.3 : 0
  },
  read,
  check: (file) => (file.conversations[0]?.id === 'main' ? [] : perRecord.check(file)),
  typeOf,
  conversations,
  write: (file, conversation, patch) =>
    conversation.id === 'main'
      ? changesForRecords(file, pathIn(file.input, PATHS, isRecord), conversation, patch)
      : perRecord.write(file, conversation, patch),
  apply: (file, changes) =>
    file.conversations[0]?.id === 'main'
      ? applyToElements(file, PATHS, changes, isRecord)
      : perRecord.apply(file, changes),
  dataset: perRecord.dataset,
})
