/**
 * Records inside a line that is not one JSON value: glued ones, one after a truncated prefix, ones between NUL bytes.
 */
import type { QuarantineReason } from '../types.ts'
import { findByte, parsed, trimmed } from './bytes.ts'
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
  | { readonly kind: 'lost'; readonly start: number; readonly end: number; readonly reason: QuarantineReason }

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
  while (at < end) {
    const brace = findByte(bytes, 0x7b, at, end)
    if (brace === end) break
    const hit = recordFrom(context, brace, end, brace > lost && trimmed(bytes, lost, brace)[0] < brace)
    if (hit.kind === 'record') {
      pushLost(bytes, lost, hit.start, 'truncated-prefix', pieces)
      pieces.push(hit)
      at = lost = hit.end
      open = -1
    } else {
      if (hit.scan.state === 'open' && open < 0) open = brace
      at = Math.max(hit.scan.at, brace + 1)
    }
  }
  pushLost(bytes, lost, end, open >= 0 ? 'torn-record' : 'not-json', pieces)
  return open
}

function pushLost(bytes: Uint8Array, start: number, end: number, reason: QuarantineReason, pieces: Piece[]): void {
  const [from, to] = trimmed(bytes, start, end)
  if (to > from) pieces.push({ kind: 'lost', start: from, end: to, reason })
}

type Hit = Extract<Piece, { kind: 'record' }> | { readonly kind: 'none'; readonly scan: Scanned }

/**
 * The record that begins at `start`, or one that begins where the damage is: inside the string that was cut, or as the value that was about
 * to follow. What stands after broken bytes, or as a value, counts only if nothing of an enclosing object follows it.
 */
function recordFrom(context: LineContext, start: number, end: number, afterDamage: boolean): Hit {
  const { bytes, spend } = context
  const scan = scanObject(bytes, start, end)
  const own = accepted(context, start, scan, end, afterDamage)
  if (own) return own
  if (scan.state === 'whole') return { kind: 'none', scan }
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
  return { kind: 'none', scan }
}

function accepted({ bytes, isRecord }: LineContext, start: number, scan: Scanned, end: number, boundary: boolean) {
  if (scan.state !== 'whole') return undefined
  if (boundary) {
    const [next] = trimmed(bytes, scan.at, end)
    if (next < end && bytes[next] !== 0x7b) return undefined
  }
  const own = bytes.subarray(start, scan.at)
  const value = parsed(scan.control ? asOneLine(own) : own)
  if (value === undefined || !isRecord(value)) return undefined
  return { kind: 'record' as const, start, end: scan.at, value, control: scan.control }
}
