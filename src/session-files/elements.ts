/**
 * Files that are one JSON document with a list in it, or JSONL with the same values line by line: one reader and one writer for both.
 */
import { apply, jsonText, type Patch, type Path } from '../core/index.ts'
import { align, changesOf } from './align.ts'
import { applyToDocument, elementBytes, readDocument } from './json-document.ts'
import { findList, skipSpace, valueEnd } from './json-spans.ts'
import { applyToLines, hasMark, parsed, type RecordType, readLines } from './lines.ts'
import type { Conversation, FileInput, FileRecord, RecordChange, Salvage, SessionFile } from './types.ts'

export interface Elements {
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
  /** Where the list is in the document; undefined for JSONL. */
  readonly path: Path | undefined
  readonly value: unknown
}

/** Whether the file is one JSON value and not a value on each line. */
export function isDocument(bytes: Uint8Array): boolean {
  const start = skipSpace(bytes, hasMark(bytes) ? 3 : 0)
  if (bytes[start] !== 0x7b && bytes[start] !== 0x5b) return false
  const end = valueEnd(bytes, start)
  if (end >= 0) return skipSpace(bytes, end) >= bytes.length
  return bytes[start] === 0x5b || bytes.indexOf(0x0a, start) < 0 || !firstLineIsJson(bytes, start)
}

/** A record that ends on its first line. */
function firstLineIsJson(bytes: Uint8Array, start: number): boolean {
  const newline = bytes.indexOf(0x0a, start)
  return valueEnd(bytes, start, newline + 1) > 0
}

/** The one value of a file that is a JSON document, by its bytes: every format asks for it. */
const documents = new WeakMap<Uint8Array, readonly unknown[]>()

/** The file's document as the only value, else the first records as they were given. */
export function firstValues({ bytes }: FileInput, head: readonly unknown[]): readonly unknown[] {
  let found = documents.get(bytes)
  if (!found) {
    const value = isDocument(bytes) ? parsed(bytes.subarray(hasMark(bytes) ? 3 : 0)) : undefined
    found = value === undefined ? [] : [value]
    documents.set(bytes, found)
  }
  return found.length > 0 ? found : head
}

/** The one JSON document that the file is; undefined if it has several records. */
export function documentOf(input: FileInput, head: readonly unknown[]): unknown {
  const values = firstValues(input, head)
  return values.length === 1 ? values[0] : undefined
}

/** Records of a document at the first of these paths that it has, else of its lines. */
export function readElements(
  input: FileInput,
  paths: readonly Path[],
  typeOf: (value: unknown) => RecordType,
): Elements {
  if (isDocument(input.bytes)) {
    const document = readDocument(input.bytes, paths, typeOf)
    if (document) return document
  }
  return { ...readLines(input, typeOf, { anyJson: true }), path: undefined, value: undefined }
}

/** Where the records of this file are in it; undefined for JSONL. */
export function pathIn({ bytes }: FileInput, paths: readonly Path[]): Path | undefined {
  if (!isDocument(bytes)) return undefined
  return paths.find((path) => findList(bytes, path, hasMark(bytes) ? 3 : 0) !== undefined)
}

export function applyToElements(
  file: SessionFile,
  paths: readonly Path[],
  changes: readonly RecordChange[],
): Uint8Array {
  const path = pathIn(file.input, paths)
  return path
    ? applyToDocument(file, path, changes)
    : applyToLines(file.input.bytes, file.records, changes, file.salvage.quarantined)
}

const encoder = new TextEncoder()

/** A message, back as the value of a record: `was` is the record's old value, if the message replaces one. */
export type ToRecord = (message: unknown, was: unknown) => unknown

/** The patch of a conversation in which each message is one record. */
export function changesForRecords(
  file: SessionFile,
  path: Path | undefined,
  { history, sources }: Conversation,
  patch: Patch,
  toRecord: ToRecord = (message) => message,
): readonly RecordChange[] {
  const now = apply(history, patch)
  if (now === history) return []
  return changesOf(align(history, now), {
    records: sources.map(([record]) => record!),
    why: 'repair',
    bytesOf: (record) => file.input.bytes.subarray(file.records[record]!.start, file.records[record]!.end),
    write(message, was) {
      const value = toRecord(message, was === undefined ? undefined : file.records[was]!.value)
      return path ? elementBytes(file, path, value) : encoder.encode(jsonText(value))
    },
  })
}
