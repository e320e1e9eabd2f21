/**
 * One JSON document whose records are the elements of a list in it. Only changed elements are written.
 * A document that does not parse goes through salvage: whole elements are kept, everything else goes to quarantine.
 */
import { isTooDeep, jsonText, type Path, valueAt } from '../core/index.ts'
import { afterKey, type SalvagedList, salvageList } from './document-salvage.ts'
import { findList, skipSpace, valueEnd } from './json-spans.ts'
import { type Layout, layOut } from './layout.ts'
import { parsed, utf8Of } from './lines.ts'
import { afterMark, bytesOf, joined } from './salvage/bytes.ts'
import type { Envelope } from './salvage/envelope.ts'
import type { Classify } from './salvage/index.ts'
import { asOneLine } from './salvage/json-scan.ts'
import { fromUtf16, inUtf16File } from './salvage/utf16.ts'
import type { FileRecord, Quarantined, RecordEdit, Salvage, SalvageNote, SessionFile } from './types.ts'

export interface JsonDocument {
  /** The document as a value, as far as it can be read: without the list's damaged elements. */
  readonly value: unknown
  readonly path: Path
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The list at the first of these paths that the document has. `isRecord` is asked for objects after damage. */
export function readDocument(
  file: Uint8Array,
  paths: readonly Path[],
  typeOf: Classify,
  isRecord: Envelope = (value) => typeOf(value).known,
): JsonDocument | undefined {
  const bytes = utf8Of(file)
  const { value, end } = rootOf(bytes)
  const path =
    value === undefined ? damagedPath(bytes, paths, isRecord) : paths.find((one) => Array.isArray(valueAt(value, one)))
  if (!path) return undefined
  const found =
    value === undefined
      ? fromSalvage(bytes, salvageList(bytes, path, isRecord), typeOf)
      : wholeDocument(bytes, path, value, end, typeOf)
  if (bytes === file) return { ...found, path }
  const { records, ...salvage } = inUtf16File({ records: found.records, ...found.salvage }, fromUtf16(file)!, file)
  return { value: found.value, path, records, salvage }
}

/** The document's value and its end. Bytes after it on the same line, and NUL bytes, are damage. */
function rootOf(bytes: Uint8Array): { readonly value: unknown; readonly end: number } {
  const from = afterMark(bytes)
  const whole = parsed(bytes.subarray(from))
  if (whole !== undefined) return { value: whole, end: bytes.length }
  const start = skipSpace(bytes, from)
  const end = valueEnd(bytes, start)
  return end < 0 ? { value: undefined, end } : { value: parsed(bytes.subarray(start, end)), end }
}

/** The path whose list can be found in a document that does not parse. */
export function damagedPath(bytes: Uint8Array, paths: readonly Path[], isRecord?: Envelope): Path | undefined {
  const from = afterMark(bytes)
  const found = paths.find((path) => findList(bytes, path, from) !== undefined)
  if (found) return found
  const named = paths.find((path) => {
    const key = path.at(-1)
    return typeof key === 'string' && afterKey(bytes, key) !== undefined
  })
  const first = bytes[skipSpace(bytes, from)]
  // A format that has only bare lists is JSONL if the first byte is not a bracket.
  const isList = first === 0x5b || (first !== 0x7b && paths.length > 1)
  return named ?? paths.find((path) => path.length === 0 && isList) ?? lostKey(bytes, paths, isRecord)
}

/** The key of the list is destroyed, but the document has more than one record in it. */
function lostKey(bytes: Uint8Array, paths: readonly Path[], isRecord: Envelope | undefined): Path | undefined {
  const path = isRecord && paths.find(({ length }) => length > 0)
  return path && salvageList(bytes, path, isRecord).records.length > 1 ? path : undefined
}

type Found = Pick<JsonDocument, 'value' | 'records' | 'salvage'>

function wholeDocument(bytes: Uint8Array, path: Path, value: unknown, end: number, typeOf: Classify): Found {
  const from = afterMark(bytes)
  const lineAt = lineCounter(bytes)
  const list = valueAt(value, path) as readonly unknown[]
  const spans = findList(bytes, path, from)?.elements ?? []
  const records = spans.map(({ start, end: to }, index) => {
    const element = list[index]
    return { index, line: lineAt(start), start, end: to, value: element, ...typeOf(element) }
  })
  const rest = bytes.subarray(end)
  const reason = rest.every((byte) => byte === 0) ? 'nul-bytes' : 'not-json'
  const after: readonly Quarantined[] =
    end < bytes.length ? [{ line: lineAt(end), offset: end, bytes: rest, reason }] : []
  return { value, records, salvage: { quarantined: [...markOf(bytes), ...after], notes: [] } }
}

function markOf(bytes: Uint8Array): readonly Quarantined[] {
  const start = afterMark(bytes)
  return start > 0 ? [{ line: 1, offset: 0, bytes: bytes.subarray(0, start), reason: 'byte-order-mark' }] : []
}

function fromSalvage(bytes: Uint8Array, list: SalvagedList, typeOf: Classify): Found {
  let lineAt = lineCounter(bytes)
  const records = list.records.map(({ start, end, value, control }, index) => {
    const rewritten = control ? asOneLine(bytes.subarray(start, end)) : undefined
    return { index, line: lineAt(start), start, end, value, ...typeOf(value), ...(rewritten && { rewritten }) }
  })
  lineAt = lineCounter(bytes)
  const quarantined = list.lost.map(({ start, end, reason }) => ({
    line: lineAt(start),
    offset: start,
    bytes: bytes.subarray(start, end),
    reason,
  }))
  lineAt = lineCounter(bytes)
  const notes = list.notes.map(({ at, kind }): SalvageNote => ({ line: lineAt(at), kind }))
  const value = parsed(joined([list.head, list.tail]))
  return { value, records, salvage: { quarantined: [...markOf(bytes), ...quarantined], notes } }
}

/** The lines of places that ascend, in one pass: most documents are one line, which is searched once. */
function lineCounter(bytes: Uint8Array): (offset: number) => number {
  let line = 1
  let newline = bytes.indexOf(0x0a)
  return (offset) => {
    while (newline >= 0 && newline < offset) {
      line++
      newline = bytes.indexOf(0x0a, newline + 1)
    }
    return line
  }
}

/** The new document. The same array if nothing changes. */
export function applyToDocument(
  file: SessionFile,
  path: Path,
  changes: readonly RecordEdit[],
  isRecord?: Envelope,
): Uint8Array {
  const { quarantined, notes } = file.salvage
  if (changes.length === 0 && quarantined.length === 0 && notes.length === 0) return file.input.bytes
  const layout = layoutOf(file.input.bytes, path, isRecord)
  const now = layout && layOut(file, changes, layout)
  return now === undefined || parsed(now) === undefined ? file.input.bytes : now
}

function layoutOf(file: Uint8Array, path: Path, isRecord: Envelope = () => true): Layout | undefined {
  const bytes = utf8Of(file)
  const from = afterMark(bytes)
  const { value, end } = rootOf(bytes)
  const spans = findList(bytes, path, from)
  const list = value === undefined ? salvageList(bytes, path, isRecord) : undefined
  if (!list && (!spans || spans.close < 0)) return undefined
  const [one, two] = list?.records ?? spans!.elements
  const isFirst = one && spans && spans.open <= one.start
  return {
    head: list?.head ?? bytes.subarray(from, spans!.open),
    tail: list?.tail ?? bytes.subarray(spans!.elements.at(-1)?.end ?? spans!.open, end),
    ...gaps(
      isFirst ? bytes.subarray(spans.open, one.start) : NOTHING,
      one && two ? bytes.subarray(one.end, two.start) : NOTHING,
    ),
    // In a file in UTF-16 the places of records are other ones.
    isGap: (gap) => bytes === file && isSeparator(gap),
  }
}

const NOTHING = new Uint8Array(0)

/** The gaps if they are what JSON allows there. */
function gaps(first: Uint8Array, between: Uint8Array): Pick<Layout, 'first' | 'between'> {
  const space = /^\s*$/.test(decoder.decode(first)) ? first : NOTHING
  return { first: space, between: isSeparator(between) ? between : joined([bytesOf(','), space]) }
}

function isSeparator(gap: Uint8Array): boolean {
  return gap.length < MOST_SPACE && /^\s*,\s*$/.test(decoder.decode(gap))
}

const MOST_SPACE = 1000

/** Writes new elements in the style of the document: indented as its neighbors are, numbers as they were spelled. */
export function elementWriter(file: Uint8Array, path: Path): (value: unknown) => Uint8Array {
  const bytes = utf8Of(file)
  const spans = findList(bytes, path, afterMark(bytes))
  const [one] = spans?.elements ?? []
  const gap = one ? decoder.decode(gaps(bytes.subarray(spans!.open, one.start), NOTHING).first) : ''
  return (value) => bytesIn(value, gap)
}

function bytesIn(value: unknown, gap: string): Uint8Array {
  const compact = jsonText(value) ?? 'null'
  const indent = /\n([ \t]*)$/.exec(gap)?.[1]
  // Only JSON.stringify indents. It loses the spelling of numbers, and it recurses.
  if (indent === undefined || isTooDeep(value) || JSON.stringify(value) !== compact) return encoder.encode(compact)
  const unit = indent.includes('\t')
    ? '\t'
    : indent.length % 4 === 0 && indent.length > 4
      ? '  '
      : indent.slice(0, 2) || 2
  return encoder.encode(JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`))
}
