/**
 * Compaction items that a provider made itself: Anthropic's `compaction` block, OpenAI's `compaction` item.
 * They are the provider's own and mean something to no other; what stood before them is ignored by the provider, and is the way back for all others.
 */
import { type Dialect, own, type Part, placeOf, valueAt } from '../core/index.ts'
import { withParts } from './rows.ts'

export interface Native {
  /** The message it stands in; with several, the last one counts. */
  readonly at: number
  /** What it says, where that can be read. */
  readonly text: string | undefined
}

/** Types by which providers name them. */
const TYPES: ReadonlySet<string> = new Set(['compaction', 'compaction_summary'])

/** The item that stands for everything before it, if there is one. One that failed (`content: null`) stands for nothing. */
export function nativeIn(history: readonly unknown[], dialect: Dialect): Native | undefined {
  const parts: Part[] = []
  for (let i = history.length - 1; i >= 0; i--) {
    if (!mayHold(history[i], dialect)) continue
    parts.length = 0
    dialect.read(history[i], i, parts)
    const found = parts.findLast(isNative)
    const text = found && own(found.value, 'content')
    if (found && (typeof text === 'string' || typeof own(found.value, 'encrypted_content') === 'string'))
      return { at: i, text: typeof text === 'string' && text.trim() !== '' ? text : undefined }
  }
  return undefined
}

/** The history as anyone else must get it: without these items, from the raw head on. */
export function withoutNative(history: readonly unknown[], dialect: Dialect): readonly unknown[] {
  const changes = new Map<Part, unknown>()
  const parts: Part[] = []
  for (let i = 0; i < history.length; i++) {
    if (!mayHold(history[i], dialect)) continue
    parts.length = 0
    dialect.read(history[i], i, parts)
    for (const part of parts)
      if (isNative(part) && valueAt(history, placeOf(part)) === part.value) changes.set(part, undefined)
  }
  return changes.size === 0 ? history : withParts(history, changes, dialect)
}

export function isNative({ kind, type }: Part): boolean {
  return kind === 'opaque' && TYPES.has(type)
}

/** A glance before a message is read: most histories have none. */
function mayHold(message: unknown, { items, blocks }: Dialect): boolean {
  if (items) return TYPES.has(String(own(message, 'type')))
  const list = blocks && own(message, blocks[0]!)
  return Array.isArray(list) && list.some((block) => TYPES.has(String(own(block, 'type'))))
}
