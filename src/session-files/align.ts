/**
 * Which elements of a repaired list are elements of the old one, so that only the others are written anew.
 */
import { jsonText } from '../core/index.ts'
import type { RecordChange } from './types.ts'

/** An element of the new list: one of the old list as it was, or a new value. `was`: the old element that it replaces. */
export type Piece = { readonly keep: number } | { readonly value: unknown; readonly was?: number | undefined }

/** The new list in pieces, in order. An old element that no piece names is removed. */
export function align(before: readonly unknown[], after: readonly unknown[]): readonly Piece[] {
  const same = matches(before, after)
  const taken = new Set(same)
  let last = -1
  return after.map((value, i) => {
    const old = same[i]!
    if (old >= 0) {
      last = old
      return { keep: old }
    }
    const next = last + 1
    if (next >= before.length || taken.has(next)) return { value }
    taken.add(next)
    last = next
    return { value, was: next }
  })
}

/** For each new element the old one that it is, by reference and else by its JSON; -1 if it is none. */
function matches(before: readonly unknown[], after: readonly unknown[]): readonly number[] {
  const byReference = new Map<unknown, number[]>()
  before.forEach((value, i) => {
    push(byReference, value, i)
  })
  const found = after.map((value) => byReference.get(value)?.shift() ?? -1)
  if (!found.includes(-1)) return found
  const used = new Set(found)
  const byText = new Map<unknown, number[]>()
  before.forEach((value, i) => {
    if (!used.has(i)) push(byText, safeText(value), i)
  })
  return found.map((old, i) => (old >= 0 ? old : (byText.get(safeText(after[i]))?.shift() ?? -1)))
}

function push(map: Map<unknown, number[]>, key: unknown, index: number): void {
  const list = map.get(key)
  if (list) list.push(index)
  else map.set(key, [index])
}

/** A value too deep for `JSON.stringify` is matched by reference only. */
function safeText(value: unknown): unknown {
  try {
    return jsonText(value)
  } catch {
    return value
  }
}

export interface ListToRecords {
  /** For each element of the old list its record. */
  readonly records: readonly number[]
  /** The bytes of a new element; `was` is the record that it replaces. */
  write(value: unknown, was: number | undefined): Uint8Array
  /** The bytes of a record as it is, for one that moves. */
  bytesOf(record: number): Uint8Array
  readonly why: string
}

/** The pieces as changes of records, each element being one record. */
export function changesOf(pieces: readonly Piece[], list: ListToRecords): readonly RecordChange[] {
  const { records, why } = list
  const places = pieces.map((piece) => ('keep' in piece ? piece.keep : (piece.was ?? -1)))
  const inPlace = longestIncreasing(places)
  const changes: RecordChange[] = []
  const gone = new Set(records.keys())
  let after = records.length > 0 ? records[0]! - 1 : -1
  pieces.forEach((piece, i) => {
    const place = places[i]!
    if (inPlace.has(i)) {
      gone.delete(place)
      after = records[place]!
      if (!('keep' in piece)) changes.push({ op: 'replace', record: after, bytes: list.write(piece.value, after), why })
      return
    }
    const moved = 'keep' in piece
    const bytes = moved
      ? list.bytesOf(records[place]!)
      : list.write(piece.value, place < 0 ? undefined : records[place])
    changes.push({ op: 'insert', after, bytes, why: moved ? `${why} (moved)` : why })
  })
  for (const place of gone) changes.push({ op: 'remove', record: records[place]!, why })
  return changes
}

/** Indexes of a longest increasing run of places; places below zero are left out. */
function longestIncreasing(places: readonly number[]): ReadonlySet<number> {
  const tails: number[] = []
  const before: number[] = []
  places.forEach((place, i) => {
    if (place < 0) return
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[tails[middle]!]! < place) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  })
  const chosen = new Set<number>()
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) chosen.add(i)
  return chosen
}
