/**
 * What the rules on items with ids share. An id leads the provider to what it stored beside the item: when an item's reasoning
 * goes, the id goes too, and a reasoning item without an id is of use only with its encrypted content.
 */
import {
  type Bound,
  HAS_REASONING,
  isObject,
  type MessageView,
  own,
  type Part,
  ROLE,
  type Step,
  type Walk,
  withKey,
} from '../core/index.ts'

export function idOf(item: unknown): string | undefined {
  const id = own(item, 'id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Without a type it is a message if someone speaks in it, else a reference if it has an id. */
export function typeOf(item: unknown): string {
  const type = own(item, 'type')
  if (typeof type === 'string') return type
  return own(item, 'role') !== undefined ? 'message' : idOf(item) === undefined ? '' : 'item_reference'
}

export function isReference(item: unknown): boolean {
  return typeOf(item) === 'item_reference'
}

/** A reference that leaves its type out, as the schema allows: an id and nothing else. */
export function isBareId(item: unknown): boolean {
  if (!isObject(item) || idOf(item) === undefined) return false
  return Object.keys(item).every((key) => key === 'id' || (key === 'type' && item['type'] == null))
}

/** Reasoning of which nothing is left without its id. */
export function isBare(item: unknown): boolean {
  return typeOf(item) === 'reasoning' && typeof own(item, 'encrypted_content') !== 'string'
}

/** The item without its id; what cannot stand without one goes. An output may be moved, so it changes as a part. */
export function release(index: number, walk: Walk, parts: readonly Part[] = []): Step {
  const item = walk.history[index]
  const part = parts.find(({ kind, value }) => kind === 'result' && value === item)
  if (part) return { do: 'replace', part, with: withoutId }
  const gone = isReference(item) || isBare(item)
  return { do: 'rewrite', message: index, with: gone ? () => undefined : withoutId }
}

/** Steps that take all ids away, gathered along the walk. */
export function gatherIds({ index, message, parts }: MessageView, bound: Bound, walk: Walk): void {
  if (idOf(message) === undefined) return
  const ids = walk.recall<Ids>(bound, () => ({ first: index, steps: [] }))
  ids.steps.push(release(index, walk, parts))
}

export interface Ids {
  readonly first: number
  readonly steps: Step[]
}

/** Takes reasoning out, and the ids of what the model said and called behind it. */
export function withoutReasoning(indexes: readonly number[], walk: Walk): readonly Step[] {
  const steps: Step[] = []
  let done = -1
  for (const index of indexes) {
    steps.push({ do: 'rewrite', message: index, with: () => undefined })
    for (let i = Math.max(index, done) + 1; i < walk.outlines.length && isModels(i, walk); i++) {
      done = i
      if (!isReasoning(i, walk) && idOf(walk.history[i]) !== undefined) steps.push(release(i, walk))
    }
  }
  return steps
}

export function isModels(index: number, { outlines }: Walk): boolean {
  return (outlines[index]! & 7) === ROLE.assistant
}

export function isReasoning(index: number, { outlines }: Walk): boolean {
  return (outlines[index]! & HAS_REASONING) !== 0
}

/** Places of all reasoning items, in order. */
export function reasoningItems({ outlines }: Walk): number[] {
  const list: number[] = []
  for (let i = 0; i < outlines.length; i++) if ((outlines[i]! & HAS_REASONING) !== 0) list.push(i)
  return list
}

function withoutId(item: unknown): unknown {
  return isObject(item) && Object.hasOwn(item, 'id') ? withKey(item, 'id', undefined) : item
}
