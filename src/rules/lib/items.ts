/**
 * Items with ids. An id refers to what the provider stored with the item: if an item's reasoning goes, the id goes,
 * too, and a reasoning item without an id is of use only with its encrypted content.
 */
import { HAS_REASONING, type Step, type Transcript } from '../../core/index.ts'

export function isReasoning(t: Transcript, message: number): boolean {
  return (t.flags[message]! & HAS_REASONING) !== 0
}

/** Indexes of all reasoning items, in order. */
export function reasoningItems(t: Transcript): readonly number[] {
  const items: number[] = []
  for (const { message } of t.reasoning) if (message !== items.at(-1)) items.push(message)
  return items
}

/** Nothing is left of the item without its id: a reference, or reasoning without encrypted content. */
export function isOnlyId(t: Transcript, message: number): boolean {
  if (t.dialect.isReference?.(t.history[message])) return true
  return isReasoning(t, message) && typeof t.parts[t.starts[message]!]?.signature !== 'string'
}

/** The item without its id; what is nothing without one goes. */
export function withoutId(t: Transcript, message: number): Step {
  if (isOnlyId(t, message)) return { do: 'replace-message', message, value: undefined }
  const part = t.parts[t.starts[message]!]
  // A result may be moved, so it changes as a part.
  if (part?.message === message && part.kind === 'result' && part.list.length === 0)
    return { do: 'set-part', part, key: 'id', value: undefined }
  return { do: 'set', message, key: 'id', value: undefined }
}

export function hasId(t: Transcript, message: number): boolean {
  return t.dialect.itemId?.(t.history[message]) !== undefined
}

/** Indexes of all items with an id. */
export function itemsWithId(t: Transcript): readonly number[] {
  const found: number[] = []
  if (!t.dialect.itemId) return found
  for (let i = 0; i < t.history.length; i++) if (hasId(t, i)) found.push(i)
  return found
}

/** Removes reasoning, and the ids of what the model said and called after it. */
export function withoutReasoning(t: Transcript, messages: readonly number[]): readonly Step[] {
  const steps: Step[] = []
  let done = -1
  for (const message of messages) {
    steps.push({ do: 'replace-message', message, value: undefined })
    for (let i = Math.max(message, done) + 1; i < t.history.length && t.isAssistant(i); i++) {
      done = i
      if (!isReasoning(t, i) && hasId(t, i)) steps.push(withoutId(t, i))
    }
  }
  return steps
}
