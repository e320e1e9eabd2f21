/**
 * A list inside a JSON document that does not parse: its whole elements, what is damaged, and a beginning and an end
 * that make it JSON again. The same reader as for damaged lines finds the elements; commas and brackets are all that is
 * ever added.
 */
import type { Path } from '../core/index.ts'
import { closeCut, findList, skipSpace } from './json-spans.ts'
import { parsed } from './lines.ts'
import { afterMark, bytesOf, isSeparator, joined, trimmed } from './salvage/bytes.ts'
import { type Lost, type Piece, readDamagedLine } from './salvage/damaged-line.ts'
import type { Envelope } from './salvage/envelope.ts'
import type { QuarantineReason, SalvageNote } from './types.ts'

export interface SalvagedList {
  /** The document up to and with the opening bracket. */
  readonly head: Uint8Array
  /** The closing bracket and everything after it. */
  readonly tail: Uint8Array
  readonly records: readonly Extract<Piece, { kind: 'record' }>[]
  readonly lost: readonly Lost[]
  readonly notes: readonly { readonly at: number; readonly kind: SalvageNote['kind'] }[]
}

/** Reads what is left of the list at `path`. Never throws; time is linear in the bytes. */
export function salvageList(bytes: Uint8Array, path: Path, isRecord: Envelope): SalvagedList {
  const from = afterMark(bytes)
  const open = opening(bytes, path, from)
  let budget = bytes.length * 8 + 1024 * 1024
  const spend = (count: number) => {
    budget -= count
    return budget > 0
  }
  const { pieces } = readDamagedLine({ bytes, isRecord, spend, list: true }, open, bytes.length)
  const records = pieces.filter((piece) => piece.kind === 'record')
  const listEnd = records.at(-1)?.end ?? open
  const head = headOf(bytes, from, open, path)
  const end = tailOf(bytes, listEnd, head.bytes, path, from)
  const lost = [
    ...head.lost,
    ...pieces.flatMap((piece) => (piece.kind === 'lost' && piece.end <= listEnd ? [piece] : [])),
    ...end.lost,
  ]
  const notes = [...separatorNotes(bytes, open, records, lost), ...controlNotes(records), ...end.notes]
  notes.sort((a, b) => a.at - b.at)
  if (lost.length + notes.length === 0) notes.push({ at: listEnd, kind: 'list-separators' as const })
  return { head: head.bytes, tail: end.bytes, records, lost, notes }
}

/** Directly after the bracket that opens the list, or where the list must have begun. */
function opening(bytes: Uint8Array, path: Path, from: number): number {
  const found = findList(bytes, path, from)
  if (found) return found.open
  const key = path.findLast((step) => typeof step === 'string')
  if (key === undefined) {
    const start = skipSpace(bytes, from)
    return bytes[start] === 0x5b ? start + 1 : start
  }
  return afterKey(bytes, key) ?? from
}

/** After `"key": [`, at its first place. */
export function afterKey(bytes: Uint8Array, key: string): number | undefined {
  const name = bytesOf(JSON.stringify(key))
  for (let at = bytes.indexOf(0x22); at >= 0; at = bytes.indexOf(0x22, at + 1)) {
    if (!name.every((byte, i) => bytes[at + i] === byte)) continue
    const colon = skipSpace(bytes, at + name.length)
    const bracket = bytes[colon] === 0x3a ? skipSpace(bytes, colon + 1) : -1
    if (bracket >= 0 && bytes[bracket] === 0x5b) return bracket + 1
  }
  return undefined
}

interface Part {
  readonly bytes: Uint8Array
  readonly lost: readonly Lost[]
}

/** The beginning as it is, else its whole members and the key of the list again. */
function headOf(bytes: Uint8Array, from: number, open: number, path: Path): Part {
  const own = bytes.subarray(from, open)
  const isHead = (head: Uint8Array) => parsed(joined([head, bytesOf(`]${closersOf(path)}`)])) !== undefined
  if (own.at(-1) === 0x5b && isHead(own)) return { bytes: own, lost: [] }
  const [key] = path
  const kept = path.length === 1 ? (closeCut(bytes.subarray(0, open), path, from)?.end ?? from) : from
  const start = skipSpace(bytes, from)
  const whole = joined([
    bytes.subarray(from, kept),
    bytesOf(`${kept > start + 1 ? ',' : ''}${JSON.stringify(key ?? '')}:[`),
  ])
  if (kept > start && isHead(whole)) return { bytes: whole, lost: lostBetween(bytes, kept, open, 'not-json') }
  const bare = path.map((step) => (typeof step === 'string' ? `{${JSON.stringify(step)}:` : '[')).join('')
  return { bytes: bytesOf(`${bare}[`), lost: lostBetween(bytes, from, open, 'not-json') }
}

function closersOf(path: Path): string {
  return [...path]
    .reverse()
    .map((step) => (typeof step === 'string' ? '}' : ']'))
    .join('')
}

/** How many brackets are tried as the end of the list. */
const MOST_TRIES = 300

/**
 * The first closing bracket after which the rest makes the document whole, else the whole members that follow the list,
 * else only brackets.
 */
function tailOf(
  bytes: Uint8Array,
  listEnd: number,
  head: Uint8Array,
  path: Path,
  from: number,
): Part & { readonly notes: SalvagedList['notes'] } {
  let end = bytes.length
  while (end > listEnd && bytes[end - 1] === 0) end--
  const nul = lostBetween(bytes, end, bytes.length, 'nul-bytes')
  const close = closing(bytes, listEnd, end, head)
  if (close >= 0) {
    const lost = lostBetween(bytes, listEnd, close, 'not-json')
    return { bytes: bytes.subarray(close, end), lost: [...lost, ...nul], notes: [] }
  }
  const cut = { at: end, kind: 'document-cut-short' } as const
  const first = trimmed(bytes, listEnd, end, isSeparator)[0]
  const kept = bytes[first] === 0x5d ? closeCut(bytes.subarray(0, end), path, from) : undefined
  if (kept && kept.end > first) {
    const tail = joined([bytes.subarray(first, kept.end), bytesOf(kept.closers)])
    const lost = lostBetween(bytes, kept.end, end, 'torn-record')
    if (parsed(joined([head, tail])) !== undefined) return { bytes: tail, lost: [...lost, ...nul], notes: [cut] }
  }
  const after = bytes[first] === 0x5d ? first + 1 : listEnd
  const lost = lostBetween(bytes, after, end, 'torn-record')
  return { bytes: bytesOf(`]${closersOf(path)}`), lost: [...lost, ...nul], notes: [cut] }
}

function closing(bytes: Uint8Array, start: number, end: number, head: Uint8Array): number {
  let budget = (end - start) * 8 + 64 * 1024
  let at = bytes.subarray(0, end).indexOf(0x5d, start)
  for (let tries = 0; at >= 0 && tries < MOST_TRIES && budget > 0; tries++) {
    budget -= end - at
    if (parsed(joined([head, bytes.subarray(at, end)])) !== undefined) return at
    at = bytes.subarray(0, end).indexOf(0x5d, at + 1)
  }
  return -1
}

function lostBetween(bytes: Uint8Array, start: number, end: number, reason: QuarantineReason): readonly Lost[] {
  const [from, to] = trimmed(bytes, start, end, isSeparator)
  return to > from ? [{ start: from, end: to, reason }] : []
}

/** A missing or surplus comma where nothing else is wrong. */
function separatorNotes(
  bytes: Uint8Array,
  open: number,
  records: SalvagedList['records'],
  lost: readonly Lost[],
): { at: number; kind: SalvageNote['kind'] }[] {
  const wrong = records.find(({ start }, i) => {
    const from = records[i - 1]?.end ?? open
    const gap = bytes.subarray(from, start)
    const isDamaged = lost.some((piece) => piece.start >= from && piece.end <= start)
    return !isDamaged && gap.filter((byte) => byte === 0x2c).length !== (i === 0 ? 0 : 1)
  })
  return wrong ? [{ at: wrong.start, kind: 'list-separators' }] : []
}

function controlNotes(records: SalvagedList['records']): { at: number; kind: SalvageNote['kind'] }[] {
  return records
    .filter(({ control }) => control)
    .map(({ start }) => ({ at: start, kind: 'raw-control-character' as const }))
}
