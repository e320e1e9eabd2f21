import { defineRule, type Explanation } from '../core/index.ts'
import { idOf, release } from './items.ts'

export const explanation: Explanation = {
  says: 'No two items have one id.',
  why: 'Items that were replayed twice, or cut out of one message, are refused.',
  refusals: [/Duplicate item found with id/i],
}

export const itemIdDuplicate = defineRule({
  id: 'item-id-duplicate',
  repair: 'safe',
  messages: { duplicate: 'The id {id} was used before.' },
  checks: {
    message({ index, message, parts }, bound, walk) {
      const id = idOf(message)
      if (id === undefined) return
      const seen = walk.recall(bound, () => new Set<string>())
      if (seen.has(id)) walk.report(bound, 'duplicate', [index, 'id'], { id }, [release(index, walk, parts)])
      else seen.add(id)
    },
  },
})
