import { defineRule, type Explanation, type Step, silent, type Walk } from '../core/index.ts'
import { gatherIds, type Ids, idOf, isBare, isReference, release, withoutReasoning } from './items.ts'

export const explanation: Explanation = {
  says: 'A request that stores nothing points at nothing stored.',
  why: 'References, and reasoning that is only an id, are looked up and not found.',
  refusals: [/Items are not persisted when `?store`? is set to false/i, /Item with id '?\w+'? not found/i],
}

/** Needs the request: without `store: false` every id may be known. */
export const itemIdNotPersisted = defineRule({
  id: 'item-id-not-persisted',
  repair: 'lossy',
  quiet: silent,
  messages: {
    unknown: 'Nothing is stored, so {count} items that are only an id are not known.',
    refused: 'An id was not found: {count} items lose theirs.',
  },
  checks: {
    message(view, bound, walk) {
      if (bound.refused) gatherIds(view, bound, walk)
    },
    end(walk, bound) {
      const ids = walk.memory.get(bound.rule.id) as Ids | undefined
      if (ids) walk.report(bound, 'refused', [ids.first], { count: ids.steps.length }, ids.steps)
      if (bound.refused || walk.body?.['store'] !== false) return
      const unknown = unknownIn(walk)
      if (unknown.length === 0) return
      walk.report(bound, 'unknown', [unknown[0]!], { count: unknown.length }, drop(unknown, walk))
    },
  },
})

/** What carries its own content needs no store: it stays, id and all, until it is refused. */
function unknownIn({ history }: Walk): number[] {
  const found: number[] = []
  for (let i = 0; i < history.length; i++) {
    if (idOf(history[i]) !== undefined && (isReference(history[i]) || isBare(history[i]))) found.push(i)
  }
  return found
}

function drop(indexes: readonly number[], walk: Walk): readonly Step[] {
  const references = indexes.filter((index) => isReference(walk.history[index]))
  const reasoning = indexes.filter((index) => isBare(walk.history[index]))
  return [...references.map((index) => release(index, walk)), ...withoutReasoning(reasoning, walk)]
}
