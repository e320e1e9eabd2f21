/**
 * Records inside a line that is not one JSON value: glued ones, one after a truncated prefix, ones between NUL bytes.
 */
import type { QuarantineReason } from '../types.ts'
import { afterMark, findByte, isSeparator, parsed, trimmed } from './bytes.ts'
import type { Envelope } from './envelope.ts'
import { asOneLine, type Scanned, scanObject } from './json-scan.ts'

export type Piece =
  | {
      readonly kind: 'record'
      readonly start: number
      readonly end: number
      readonly value: unknown
      readonly control: boolean
    }
  | ({ readonly kind: 'lost' } & Lost)

export interface Lost {
  readonly start: number
  readonly end: number
  readonly reason: QuarantineReason
}

export interface DamagedLine {
  readonly pieces: readonly Piece[]
  /** Where an object begins that the line leaves open, or -1. */
  readonly open: number
}

export interface LineContext {
  readonly bytes: Uint8Array
  readonly isRecord: Envelope
  /** Counts bytes that are scanned again; false if there were too many. */
  readonly spend: (bytes: number) => boolean
  /**
   * The bytes are the inside of a JSON list: records have commas between them, and before the first damage any object
   * is one.
   */
  readonly list?: boolean | undefined
}

export function readDamagedLine(context: LineContext, start: number, end: number): DamagedLine {
  const { bytes } = context
  const pieces: Piece[] = []
  let open = -1
  let at = start
  while (at < end) {
    let stop = at
    if (bytes[at] === 0) {
      while (stop < end && bytes[stop] === 0) stop++
      pieces.push({ kind: 'lost', start: at, end: stop, reason: 'nul-bytes' })
    } else {
      stop = findByte(bytes, 0, at, end)
      const found = stop < end || !parsedWhole(context, at, stop, pieces) ? readStretch(context, at, stop, pieces) : -1
      open = stop === end ? found : -1
    }
    at = stop
  }
  return { pieces, open }
}

/** After NUL bytes the rest of a line may be one whole record. */
function parsedWhole({ bytes, isRecord }: LineContext, start: number, end: number, pieces: Piece[]): boolean {
  if (pieces.length === 0) return false
  const [from, to] = trimmed(bytes, start, end)
  const value = parsed(bytes.subarray(from, to))
  if (value === undefined || !isRecord(value)) return false
  pieces.push({ kind: 'record', start: from, end: to, value, control: false })
  return true
}

/** One stretch without NUL bytes. Returns where an object begins that is still open at its end, or -1. */
function readStretch(context: LineContext, start: number, end: number, pieces: Piece[]): number {
  const { bytes } = context
  let at = start
  let lost = start
  let open = -1
  let whole = !pieces.some(({ kind }) => kind === 'lost')
  while (at < end) {
    const brace = findByte(bytes, 0x7b, at, end)
    if (brace === end) break
    const [from, to] = without(context, lost, brace)
    const afterDamage = from < to
    const hit = recordFrom(context, brace, end, {
      afterDamage,
      trusted: whole && isTrusted(context, lost, brace, pieces),
    })
    if (hit.kind === 'record') {
      if (pushLost(context, lost, hit.start, 'truncated-prefix', pieces)) whole = false
      pieces.push(hit)
      at = lost = hit.end
      open = -1
    } else {
      if (hit.scan.state === 'open' && open < 0) open = brace
      at = hit.swallowed ? brace + 1 : Math.max(hit.scan.at, brace + 1)
    }
  }
  pushLost(context, lost, end, open >= 0 ? 'torn-record' : 'not-json', pieces)
  return open
}

/** In a list that is whole up to here: its first element, or one after a comma. */
function isTrusted({ bytes, list }: LineContext, lost: number, brace: number, pieces: readonly Piece[]): boolean {
  return list === true && (pieces.length === 0 || findByte(bytes, 0x2c, lost, brace) < brace)
}

function pushLost(
  context: LineContext,
  start: number,
  end: number,
  reason: QuarantineReason,
  pieces: Piece[],
): boolean {
  const [from, to] = without(context, start, end)
  if (to > from) pieces.push({ kind: 'lost', start: from, end: to, reason: isMark(context, from, to) ?? reason })
  return to > from
}

/** A byte order mark inside a file: two files were put together. */
function isMark({ bytes }: LineContext, from: number, to: number): QuarantineReason | undefined {
  return to - from === 3 && afterMark(bytes.subarray(from, to)) === 3 ? 'byte-order-mark' : undefined
}

/** The stretch without white space at its ends; in a list without separators, too. */
function without({ bytes, list }: LineContext, start: number, end: number): readonly [number, number] {
  return trimmed(bytes, start, end, list ? isSeparator : undefined)
}

interface Place {
  readonly afterDamage: boolean
  readonly trusted: boolean
}

type Hit =
  | Extract<Piece, { kind: 'record' }>
  | { readonly kind: 'none'; readonly scan: Scanned; readonly swallowed?: boolean }

/**
 * The record that begins at `start`, or at the damage: inside the string that was cut, or in place of a value. An
 * object after broken bytes, or in place of a value, counts only if nothing of an enclosing object follows it.
 */
function recordFrom(context: LineContext, start: number, end: number, { afterDamage, trusted }: Place): Hit {
  const { bytes, spend } = context
  const scan = scanObject(bytes, start, end)
  const own = accepted(context, start, scan, end, afterDamage, trusted)
  if (own) return own
  // In a document the records after a cut are inside of the one that was cut.
  const swallowed = context.list === true && spend(scan.at - start)
  if (scan.state === 'whole' || (swallowed && scan.state === 'open')) return { kind: 'none', scan, swallowed }
  if (scan.lastObject > start && spend(scan.at - scan.lastObject)) {
    const inner = accepted(context, scan.lastObject, scanObject(bytes, scan.lastObject, end), end, true)
    if (inner) return inner
  }
  for (let at = Math.max(scan.lastString, start + 1); at <= scan.at && at < end; at++) {
    if (bytes[at] !== 0x7b) continue
    const next = scanObject(bytes, at, end)
    if (!spend(next.at - at)) break
    const hit = accepted(context, at, next, end, false)
    if (hit) return hit
  }
  return { kind: 'none', scan, swallowed }
}

function accepted(context: LineContext, start: number, scan: Scanned, end: number, boundary: boolean, trusted = false) {
  const { bytes, isRecord } = context
  if (scan.state !== 'whole') return undefined
  const endsWell = !(boundary || trusted) || isBoundary(context, scan.at, end)
  if (boundary && !endsWell) return undefined
  const own = bytes.subarray(start, scan.at)
  const asIs = parsed(own)
  const value = asIs ?? (scan.control ? parsed(asOneLine(own)) : undefined)
  if (context.list && swallows(value, isRecord)) return undefined
  if (value === undefined || !((trusted && !boundary && endsWell) || isRecord(value))) return undefined
  return { kind: 'record' as const, start, end: scan.at, value, control: asIs === undefined }
}

/** A cut between two parts of a record makes the records after it parts of it. */
function swallows(value: unknown, isRecord: Envelope, depth = 4): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  return Object.values(value).some(
    (part) => (Array.isArray(part) && part.some((one) => isRecord(one))) || swallows(part, isRecord, depth - 1),
  )
}

/** Nothing of an enclosing object follows. */
function isBoundary(context: LineContext, at: number, end: number): boolean {
  const next = without(context, at, end)[0]
  return next >= end || context.bytes[next] === 0x7b || (context.list === true && context.bytes[next] === 0x5d)
}
