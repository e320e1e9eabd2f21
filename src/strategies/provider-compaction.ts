/**
 * Compaction items that a provider made: Anthropic's `compaction` block, OpenAI's `compaction` item. The provider
 * ignores all messages before such an item; another provider cannot read it and needs those messages instead.
 */
import { type Dialect, own, type Part, placeOf, Transcript, valueAt } from '../core/index.ts'
import { replaceParts } from './edit-parts.ts'

export interface ProviderItem {
  /** Index of its message. The last item counts. */
  readonly at: number
  /** Its text, unless it is encrypted or empty. */
  readonly text: string | undefined
}

const TYPES: ReadonlySet<string> = new Set(['compaction', 'compaction_summary'])

/** The item that replaces everything before it. One with `content: null` failed and replaces nothing. */
export function providerItem({ opaque }: Transcript): ProviderItem | undefined {
  for (let i = opaque.length - 1; i >= 0; i--) {
    const part = opaque[i]!
    if (!isProviderItem(part)) continue
    const text = own(part.value, 'content')
    if (typeof text === 'string' || typeof own(part.value, 'encrypted_content') === 'string')
      return { at: part.message, text: typeof text === 'string' && text.trim() !== '' ? text : undefined }
  }
  return undefined
}

/** The history without these items. */
export function withoutProviderItems(history: readonly unknown[], dialect: Dialect): readonly unknown[] {
  const changes = new Map<Part, unknown>()
  for (const part of new Transcript(history, dialect).opaque)
    if (isProviderItem(part) && valueAt(history, placeOf(part)) === part.value) changes.set(part, undefined)
  return changes.size === 0 ? history : replaceParts(history, changes, dialect)
}

function isProviderItem({ kind, type }: Part): boolean {
  return kind === 'opaque' && TYPES.has(type)
}
