/**
 * One JSON document whose records are the elements of a list in it: read with their bytes, written by changing elements only.
 * A document that is cut short is closed after its last complete element; elements that are not JSON go to quarantine.
 */
import { jsonText, type Path, valueAt } from '../core/index.ts'
import { closeCut, findList, type ListSpans, type Span } from './json-spans.ts'
import { byRecord, concat, hasMark, parsed, type RecordType } from './lines.ts'
import type { FileRecord, Quarantined, RecordChange, Salvage, SessionFile } from './types.ts'

export interface JsonDocument {
  /** The document as a value, as far as it can be read: without the list's damaged elements. */
  readonly value: unknown
  readonly path: Path
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Reads the list at the first of these paths that the document has; undefined if it has none. */
export function readDocument(
  bytes: Uint8Array,
  paths: readonly Path[],
  typeOf: (value: unknown) => RecordType,
): JsonDocument | undefined {
  const from = hasMark(bytes) ? 3 : 0
  const whole = parsed(bytes.subarray(from))
  for (const path of paths) {
    if (whole !== undefined && !Array.isArray(valueAt(whole, path))) continue
    const spans = findList(bytes, path, from)
    if (spans) return documentAt(bytes, from, path, spans, whole, typeOf)
  }
  return undefined
}

function documentAt(
  bytes: Uint8Array,
  from: number,
  path: Path,
  spans: ListSpans,
  whole: unknown,
  typeOf: (value: unknown) => RecordType,
): JsonDocument {
  const quarantined: Quarantined[] = []
  if (from > 0) quarantined.push({ line: 1, offset: 0, bytes: bytes.subarray(0, from), reason: 'byte-order-mark' })
  const list = whole === undefined ? undefined : (valueAt(whole, path) as readonly unknown[])
  const lineAt = lineCounter(bytes)
  const records: FileRecord[] = []
  spans.elements.forEach(({ start, end }, i) => {
    const value = list ? list[i] : parsed(bytes.subarray(start, end))
    const line = lineAt(start)
    if (value === undefined)
      quarantined.push({ line, offset: start, bytes: bytes.subarray(start, end), reason: 'not-json' })
    else records.push({ index: records.length, line, start, end, value, ...typeOf(value) })
  })
  if (whole !== undefined) return { value: whole, path, records, salvage: { quarantined, notes: [] } }
  const cut = cutPiece(bytes, spans, path, from)
  if (cut && cut.end > cut.start)
    quarantined.push({
      line: lineAt(cut.start),
      offset: cut.start,
      bytes: bytes.subarray(cut.start),
      reason: 'torn-record',
    })
  const notes = cut ? [{ line: lineAt(bytes.length), kind: 'document-cut-short' } as const] : []
  return { value: shellOf(bytes, from, path, spans), path, records, salvage: { quarantined, notes } }
}

/** What the end of the bytes cuts: the torn element, or a torn field after the list. */
function cutPiece(bytes: Uint8Array, spans: ListSpans, path: Path, from: number): Span | undefined {
  if (spans.close < 0) return { start: spans.torn?.start ?? bytes.length, end: bytes.length }
  const closed = closeCut(bytes, path, from)
  const rest = closed ? decoder.decode(bytes.subarray(closed.end)) : ''
  if (!closed || /^\s*[\]}]/.test(rest)) return undefined
  return { start: closed.end, end: bytes.length }
}

/** The document with an empty list and the fields before it. */
function shellOf(bytes: Uint8Array, from: number, path: Path, spans: ListSpans): unknown {
  return parsed(concat([bytes.subarray(from, spans.open), encoder.encode(`]${closersOf(path)}`)]))
}

function closersOf(path: Path): string {
  return [...path]
    .reverse()
    .map((step) => (typeof step === 'string' ? '}' : ']'))
    .join('')
}

function lineCounter(bytes: Uint8Array): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    for (;;) {
      const newline = bytes.indexOf(0x0a, at)
      if (newline < 0 || newline >= offset) return line
      line++
      at = newline + 1
    }
  }
}

/** The new document. The same array if nothing changes, or if the outcome would not be JSON. */
export function applyToDocument(file: SessionFile, path: Path, changes: readonly RecordChange[]): Uint8Array {
  const { bytes } = file.input
  if (changes.length === 0 && file.salvage.quarantined.length === 0 && file.salvage.notes.length === 0) return bytes
  const from = hasMark(bytes) ? 3 : 0
  const spans = findList(bytes, path, from)
  if (!spans) return bytes
  const { elements, gap } = newElements(file, changes, spans)
  const head = bytes.subarray(from, spans.open)
  const body = elements.flatMap((element, i) => (i === 0 ? [element] : [gap.between, element]))
  const now = concat([head, ...(body.length > 0 ? [gap.first, ...body] : []), ...tailOf(bytes, spans, path, from)])
  return parsed(now) === undefined ? bytes : now
}

function newElements(file: SessionFile, changes: readonly RecordChange[], spans: ListSpans) {
  const { bytes } = file.input
  const { replaced, inserted } = byRecord(changes)
  const elements: Uint8Array[] = [...(inserted.get(-1) ?? [])]
  for (const { index, start, end } of file.records) {
    const now = replaced.get(index)
    if (now === undefined) elements.push(bytes.subarray(start, end))
    else if (now !== 'removed') elements.push(now)
    elements.push(...(inserted.get(index) ?? []))
  }
  return { elements, gap: gapsOf(bytes, spans) }
}

/** White space after the opening bracket, and the bytes between two elements, as this document has them. */
function gapsOf(bytes: Uint8Array, { elements, open }: ListSpans): { first: Uint8Array; between: Uint8Array } {
  const [one, two] = elements
  const first = one ? bytes.subarray(open, one.start) : new Uint8Array(0)
  const between = one && two ? bytes.subarray(one.end, two.start) : concat([encoder.encode(','), first])
  return { first, between }
}

function tailOf(bytes: Uint8Array, spans: ListSpans, path: Path, from: number): readonly Uint8Array[] {
  if (spans.close < 0) return [encoder.encode(`]${closersOf(path)}`)]
  const last = spans.elements.at(-1)
  const start = last ? afterComma(bytes, last.end, spans.close) : spans.open
  const rest = bytes.subarray(start)
  if (parsed(bytes.subarray(from)) !== undefined) return [rest]
  const closed = closeCut(bytes, path, from)
  const stillOpen = closed && !/^\s*[\]}]/.test(decoder.decode(bytes.subarray(closed.end)))
  return stillOpen ? [bytes.subarray(start, closed.end), encoder.encode(closed.closers)] : [rest]
}

/** A comma before the closing bracket is no JSON. */
function afterComma(bytes: Uint8Array, from: number, close: number): number {
  const comma = bytes.indexOf(0x2c, from)
  return comma >= 0 && comma < close ? comma + 1 : from
}

/** A new element in the style of the document: indented as its neighbors are, numbers as they were spelled. */
export function elementBytes(file: SessionFile, path: Path, value: unknown): Uint8Array {
  const spans = findList(file.input.bytes, path, hasMark(file.input.bytes) ? 3 : 0)
  const gap = spans ? decoder.decode(gapsOf(file.input.bytes, spans).first) : ''
  return bytesIn(value, gap)
}

function bytesIn(value: unknown, gap: string): Uint8Array {
  const compact = jsonText(value) ?? 'null'
  const indent = /\n([ \t]*)$/.exec(gap)?.[1]
  // Indenting goes through JSON.stringify, which does not know how numbers were spelled.
  if (indent === undefined || JSON.stringify(value) !== compact) return encoder.encode(compact)
  const unit = indent.includes('\t')
    ? '\t'
    : indent.length % 4 === 0 && indent.length > 4
      ? '  '
      : indent.slice(0, 2) || 2
  return encoder.encode(JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`))
}
