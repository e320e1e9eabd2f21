/**
 * Files that are one JSON document with a list in it, or JSONL with the same values line by line: one reader and one
 * writer for both.
 */

import { apply, isObject, type Patch, type Path } from '../core/index.ts'
import { applyToDocument, damagedPath, elementWriter, type JsonDocument, readDocument } from './json-document.ts'
import { skipSpace, valueEnd } from './json-spans.ts'
import { applyToLines } from './line-layout.ts'
import { parsed, readLines, utf8Of } from './lines.ts'
import { listChanges } from './list-changes.ts'
import { recordBytes } from './record-draft.ts'
import { afterMark } from './salvage/bytes.ts'
import type { Envelope } from './salvage/envelope.ts'
import type { Classify } from './salvage/index.ts'
import { Attached } from './shared/attached.ts'
import { lineOf } from './shared/line.ts'
import type { Conversation, FileInput, RecordEdit, SessionFile } from './types.ts'

/** `path`: where the list is in the document; undefined for JSONL. */
export type Elements = Omit<JsonDocument, 'path'> & { readonly path: Path | undefined }

/** Whether the file is one JSON value, whole or damaged, and not a value on each line. */
export function isDocument(file: Uint8Array): boolean {
  const bytes = utf8Of(file)
  const start = skipSpace(bytes, afterMark(bytes))
  if (start >= bytes.length) return false
  if (isAlone(bytes, start)) return true
  const isValue = bytes[start] === 0x7b || bytes[start] === 0x5b
  const end = isValue ? valueEnd(bytes, start) : -1
  if (end >= 0) return endsDocument(bytes, end)
  return bytes[start] === 0x5b || !hasWholeLine(bytes, start)
}

/** An opening bracket with a line of its own: no line of JSONL, whatever the damage after it is. */
function isAlone(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] !== 0x5b) return false
  const newline = bytes.indexOf(0x0a, start)
  return newline >= 0 && skipSpace(bytes, start + 1, newline) >= newline
}

/** Nothing follows, or only NUL bytes, or what cannot be a record because it is on the same line. */
function endsDocument(bytes: Uint8Array, end: number): boolean {
  const next = skipSpace(bytes, end)
  if (next >= bytes.length || bytes.subarray(next).every((byte) => byte === 0)) return true
  const newline = bytes.indexOf(0x0a, end)
  return bytes[next] !== 0x7b && bytes[next] !== 0x5b && (newline < 0 || newline > next) && !hasWholeLine(bytes, end)
}

/** How many lines are looked at. */
const LINES = 20

/** Whether one of the next lines is a JSON object or list of its own. */
function hasWholeLine(bytes: Uint8Array, from: number): boolean {
  for (let at = from, count = 0; at < bytes.length && count < LINES; count++) {
    const newline = bytes.indexOf(0x0a, at)
    const end = newline < 0 ? bytes.length : newline
    const value = bytes[skipSpace(bytes, at, end)] === 0x7b ? parsed(bytes.subarray(at, end)) : undefined
    if (value !== undefined && Object.keys(value as object).length > 0) return true
    at = end + 1
  }
  return false
}

/** The one value of a file that is a JSON document, by its bytes: every format asks for it. */
const documents = new Attached<Uint8Array, readonly unknown[]>()

/** The file's document as the only value, else the first records as they were given. */
export function firstValues({ bytes }: FileInput, head: readonly unknown[]): readonly unknown[] {
  let found = documents.get(bytes)
  if (!found) {
    const value = isDocument(bytes) ? documentValue(utf8Of(bytes)) : undefined
    found = value === undefined ? [] : [value]
    documents.set(bytes, found)
  }
  return found.length > 0 ? found : head
}

/** The elements of the list that the file is, else its document or first records. */
export function firstElements(input: FileInput, head: readonly unknown[]): readonly unknown[] {
  const values = firstValues(input, head)
  return values.length === 1 && Array.isArray(values[0]) ? values[0] : values
}

/** A document whose value could only be read in part: no format that needs whole records can read it. */
export function isDamagedDocument({ bytes }: FileInput): boolean {
  if (!isDocument(bytes)) return false
  const text = utf8Of(bytes)
  return parsed(text.subarray(afterMark(text))) === undefined
}

/** Lists of messages, by where formats keep them. */
const USUAL: readonly Path[] = [['messages'], ['contents'], ['input'], ['history'], []]
const FEW = 20

/** The document; a damaged one with the first elements that could be read. */
function documentValue(bytes: Uint8Array): unknown {
  const whole = parsed(bytes.subarray(afterMark(bytes)))
  if (whole !== undefined) return whole
  const found = readDocument(bytes, USUAL, () => ({ type: '', known: true }), hasRole)
  if (!found || found.records.length === 0) return undefined
  const list = found.records.slice(0, FEW).map(({ value }) => value)
  const [key] = found.path
  return key === undefined ? list : { ...(found.value as object), [key]: list }
}

function hasRole(value: unknown): boolean {
  return isObject(value) && (typeof value['role'] === 'string' || typeof value['type'] === 'string')
}

/** The one JSON document that the file is; undefined if it has several records. */
export function documentOf(input: FileInput, head: readonly unknown[]): unknown {
  const values = firstValues(input, head)
  return values.length === 1 ? values[0] : undefined
}

/**
 * Records of a document at the first of these paths that it has, else of its lines. `isRecord` is asked for objects in
 * damaged places.
 */
export function readElements(
  input: FileInput,
  paths: readonly Path[],
  typeOf: Classify,
  isRecord?: Envelope,
): Elements {
  if (isDocument(input.bytes)) {
    const document = readDocument(input.bytes, paths, typeOf, isRecord)
    if (document) return document
  }
  return { ...readLines(input, typeOf, { anyJson: true, isRecord }), path: undefined, value: undefined }
}

/** Where the records of this file are in it; undefined for JSONL. */
export function pathIn(
  { bytes }: FileInput,
  paths: readonly Path[],
  isRecord: Envelope = () => false,
): Path | undefined {
  return isDocument(bytes) ? damagedPath(utf8Of(bytes), paths, isRecord) : undefined
}

export function applyToElements(
  file: SessionFile,
  paths: readonly Path[],
  changes: readonly RecordEdit[],
  isRecord?: Envelope,
): Uint8Array {
  const path = pathIn(file.input, paths, isRecord)
  return path ? applyToDocument(file, path, changes, isRecord) : applyToLines(file, changes)
}

/** A message, back as the value of a record: `was` is the record's old value, if the message replaces one. */
export type ToRecord = (message: unknown, was: unknown) => unknown

/** The patch of a conversation in which each message is one record. */
export function changesForRecords(
  file: SessionFile,
  path: Path | undefined,
  { history, sources }: Conversation,
  patch: Patch,
  toRecord: ToRecord = (message) => message,
): readonly RecordEdit[] {
  const now = apply(history, patch)
  if (now === history) return []
  // Messages that another file has, a compaction's, come first and are not written here.
  const start = sources.findIndex((own) => own.length > 0)
  if (start < 0 || history.slice(0, start).some((message, i) => message !== now[i])) return []
  const bytesOf = path ? elementWriter(file.input.bytes, path) : lineOf
  return listChanges(history.slice(start), now.slice(start), {
    records: sources.slice(start).map(([record]) => record!),
    bytesOf: (record) => recordBytes(file, file.records[record]!),
    write: (message, was) => bytesOf(toRecord(message, was === undefined ? undefined : file.records[was]!.value)),
  })
}
