import { type Bound, defineRule, type Explanation, type Walk } from '../core/index.ts'
import { idOf, release } from './items.ts'
import { nearby } from './memory.ts'
import { Print, Prints } from './prints.ts'

export const explanation: Explanation = {
  says: 'No two items have one id.',
  why: 'Items that were replayed twice, or cut out of one message, are refused.',
  refusals: [/Duplicate item found with id/i],
}

export const itemIdDuplicate = defineRule({
  id: 'item-id-duplicate',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { item: (id, _type, walk) => walk.again || isNew(id, walk) }),
  messages: { duplicate: 'The id {id} was used before.' },
  checks: {
    message({ index, message, parts }, bound, walk) {
      const id = idOf(message)
      if (id === undefined) return
      if (walk.again || isNew(id, walk) || !isKnown(id, index, bound, walk)) return
      walk.report(bound, 'duplicate', [index, 'id'], { id }, [release(index, walk, parts)])
    },
  },
})

const printsOf = nearby('item-ids', () => new Prints())
const print = new Print()

/** False: it, or another with its print, has come before. */
function isNew(id: string, walk: Walk): boolean {
  print.readEnds(id)
  return printsOf(walk).add(print)
}

/** Whether an item before this one has the id. All of them are gathered only when a print came twice. */
function isKnown(id: string, index: number, bound: Bound, walk: Walk): boolean {
  const seen = walk.recall(bound, () => ({ ids: new Set<string>(), next: 0 }))
  for (; seen.next < index; seen.next++) {
    const other = idOf(walk.history[seen.next])
    if (other !== undefined) seen.ids.add(other)
  }
  return seen.ids.has(id)
}
