/**
 * The records of a conversation after a repair, in the order of the new history: old ones with their new parts, and new ones.
 */
import type { ChangedPart, Origins } from './part-changes.ts'

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

/** A new part of an answer that is one record belongs into that record. */
function isOneAnswer({ role, parts }: Group, { message }: ChangedPart): boolean {
  return message !== undefined && parts[0]!.message === message && (role === 'assistant' || role === 'model')
}

export function sequenceOf(changes: readonly ChangedPart[], origins: Origins): Sequence {
  const sizes = new Map<number, number>()
  for (const { record } of origins.values()) sizes.set(record, (sizes.get(record) ?? 0) + 1)
  const groups: Group[] = []
  const seen = new Set<number>()
  for (const part of changes) {
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
    // The parts of one record came apart: the later ones get a record of their own.
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

/** Old records that stand elsewhere than before, by the order that they had. */
export function movedIn(items: readonly SequenceItem[], order: ReadonlyMap<number, number>): ReadonlySet<number> {
  const places = items.flatMap(({ record }) => (record === undefined ? [] : [record]))
  const moved = new Set<number>()
  let last = -1
  for (const record of places) {
    const place = order.get(record) ?? -1
    if (place < last) moved.add(record)
    else last = place
  }
  return moved
}

/** For files whose order is that of the conversation: a moved record is removed and written again at its new place. */
export function withoutMoves({ items, removed }: Sequence): Sequence {
  const order = new Map(items.flatMap(({ record }) => (record === undefined ? [] : [[record, record] as const])))
  const moved = movedIn(items, order)
  return {
    items: items.map((item) =>
      item.record !== undefined && moved.has(item.record) ? { ...item, record: undefined } : item,
    ),
    removed: [...removed, ...moved],
  }
}

/** The message of an item whose parts are whole messages. */
export function messageOf(parts: readonly ChangedPart[]): unknown {
  return parts[0]?.part
}
