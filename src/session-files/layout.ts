/**
 * Records as the bytes of a file: lines, or the list of a JSON document. Records that do not change keep their bytes,
 * and so do the bytes between two of them.
 */
import { byRecord } from './record-draft.ts'
import { joined } from './salvage/bytes.ts'
import type { RecordEdit, SessionFile } from './types.ts'

/** What is written around records. */
export interface Layout {
  readonly head: Uint8Array
  readonly first: Uint8Array
  readonly between: Uint8Array
  readonly tail: Uint8Array
  /** Whether bytes between two records are kept. */
  isGap(gap: Uint8Array): boolean
}

/** A record of the file, damaged bytes that stay, or a new record. `place`: which of the spans of the file it is. */
interface Piece {
  readonly bytes: Uint8Array
  readonly place: number
}

interface Span {
  readonly start: number
  readonly end: number
  readonly record?: number
}

/** The new bytes. With `keepDamage` bytes that belong to no record stay where they are. */
export function layOut(
  file: SessionFile,
  changes: readonly RecordEdit[],
  layout: Layout,
  keepDamage = false,
): Uint8Array {
  const spans = spansOf(file)
  const pieces = piecesOf(file, spans, changes, keepDamage)
  const out: Uint8Array[] = [layout.head]
  pieces.forEach((piece, i) => {
    out.push(i === 0 ? layout.first : gapBetween(pieces[i - 1]!, piece), piece.bytes)
  })
  out.push(layout.tail)
  return joined(out)

  function gapBetween({ place: before }: Piece, { place: after }: Piece): Uint8Array {
    const near = before >= 0 && after >= 0 ? [before, before + 1] : after > 0 ? [after - 1, after] : undefined
    if (!near) return layout.between
    const gap = file.input.bytes.subarray(spans[near[0]!]!.end, spans[near[1]!]!.start)
    return layout.isGap(gap) || (keepDamage && after === before + 1) ? gap : layout.between
  }
}

function spansOf({ records, salvage }: SessionFile): readonly Span[] {
  const lost = salvage.quarantined.map(({ offset, bytes }) => ({ start: offset, end: offset + bytes.length }))
  const own = records.map(({ index, start, end }) => ({ start, end, record: index }))
  return lost.length === 0 ? own : [...own, ...lost].sort((a, b) => a.start - b.start)
}

function piecesOf(
  { input, records }: SessionFile,
  spans: readonly Span[],
  changes: readonly RecordEdit[],
  keepDamage: boolean,
): readonly Piece[] {
  const { replaced, inserted } = byRecord(changes)
  const pieces: Piece[] = []
  const insert = (list: readonly RecordEdit[] | undefined) => {
    for (const change of list ?? []) if (change.op === 'insert') pieces.push({ bytes: change.bytes, place: -1 })
  }
  insert(inserted.get(-1))
  spans.forEach(({ start, end, record }, place) => {
    const own = input.bytes.subarray(start, end)
    if (record === undefined) {
      if (keepDamage) pieces.push({ bytes: own, place })
      return
    }
    const change = replaced.get(record)
    const rewritten = keepDamage ? undefined : records[record]!.rewritten
    if (!change) pieces.push({ bytes: rewritten ?? own, place })
    else if (change.op === 'replace') pieces.push({ bytes: change.bytes, place })
    insert(inserted.get(record))
  })
  return pieces
}
