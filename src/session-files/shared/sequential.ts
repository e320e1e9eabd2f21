/**
 * Helpers for files whose order is the order of the conversation.
 */
import type { ChangedPart } from './part-changes.ts'
import { movedIn, type Sequence } from './sequence.ts'

/** A record that stands elsewhere is removed there and written anew where it belongs. */
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
