/**
 * The records of a conversation after a repair, in the order of the new history: old ones with their new parts, and new
 * ones.
 */
import { apply, type Patch } from '../../core/index.ts'
import { type ChangedPart, type Origins, partChanges, type RolePart } from './part-changes.ts'

export interface SequenceItem {
  /** An old record, or undefined for a new one. */
  readonly record?: number | undefined
  readonly role: string
  readonly parts: readonly ChangedPart[]
  /** The parts of the record are not those that it has in the file. */
  readonly changed: boolean
}

export interface Sequence {
  readonly items: readonly SequenceItem[]
  /** Records that have no part left. */
  readonly removed: readonly number[]
}

interface Group {
  record?: number | undefined
  readonly role: string
  readonly parts: ChangedPart[]
}

/** Both are parts of one answer, which is one record. */
function isOneAnswer({ role, parts }: Group, { message }: ChangedPart): boolean {
  return message !== undefined && parts[0]!.message === message && (role === 'assistant' || role === 'model')
}

/** The sequence after a patch of this history. `partsOf`: the parts that `origins` has places for. */
export function sequenceAfter(
  patch: Patch,
  history: readonly unknown[],
  origins: Origins,
  partsOf: (history: readonly unknown[]) => readonly RolePart[],
): Sequence {
  const sizes = new Map<number, number>()
  for (const { record } of origins.values()) sizes.set(record, (sizes.get(record) ?? 0) + 1)
  const groups: Group[] = []
  const seen = new Set<number>()
  for (const part of partChanges(partsOf(history), partsOf(apply(history, patch)), origins)) {
    const record = part.origin?.record
    const last = groups.at(-1)
    const isFirst = record !== undefined && !seen.has(record)
    const joins = record === undefined || (isFirst && last?.record === undefined)
    if (last && (joins ? isOneAnswer(last, part) : last.record === record)) {
      last.record ??= record
      last.parts.push(part)
      if (record !== undefined) seen.add(record)
      continue
    }
    // The parts of one record are no longer together: the later ones become a new record.
    const own = isFirst ? record : undefined
    if (own !== undefined) seen.add(own)
    groups.push({ record: own, role: part.role, parts: [part] })
  }
  const items = groups.map(({ record, role, parts }) => ({
    record,
    role,
    parts,
    changed: record !== undefined && (parts.some(({ changed }) => changed) || !inOrder(parts, sizes.get(record)!)),
  }))
  return { items, removed: [...sizes.keys()].filter((record) => !seen.has(record)) }
}

function inOrder(parts: readonly ChangedPart[], size: number): boolean {
  return parts.length === size && parts.every(({ origin }, i) => i === 0 || origin!.slot > parts[i - 1]!.origin!.slot)
}

/** Old records whose place in a chain is another one. Of the two ways, the one with fewer: one late result moves. */
export function movedInChain(items: readonly SequenceItem[], order: ReadonlyMap<number, number>): ReadonlySet<number> {
  const placeOf = (record: number) => order.get(record) ?? -1
  const late = outOfOrder(items, placeOf)
  const early = outOfOrder(items.toReversed(), (record) => -placeOf(record))
  return early.size < late.size ? early : late
}

function outOfOrder(items: readonly SequenceItem[], placeOf: (record: number) => number): ReadonlySet<number> {
  const moved = new Set<number>()
  let last = Number.NEGATIVE_INFINITY
  for (const { record } of items) {
    if (record === undefined) continue
    const place = placeOf(record)
    if (place < last) moved.add(record)
    else last = place
  }
  return moved
}

/** For files in the order of the conversation: a record that moves is removed, and inserted at its new place. */
export function withoutMoves({ items, removed }: Sequence): Sequence {
  const moved = outOfOrder(items, (record) => record)
  const isMoved = ({ record }: SequenceItem) => record !== undefined && moved.has(record)
  return {
    items: items.map((item) => (isMoved(item) ? { ...item, record: undefined } : item)),
    removed: [...removed, ...moved],
  }
}
