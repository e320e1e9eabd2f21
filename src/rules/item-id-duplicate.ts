import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { withoutId } from './lib/items.ts'

export const itemIdDuplicate = defineRule({
  id: 'item-id-duplicate',
  phase: 'structure',
  repair: 'safe',
  about: () => ({ keys: ['id'] }),
  messages: {
    duplicate: 'Item {index} has the id {id}, as an earlier item does; {rejects} that. {Repair} removes the id.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const { itemId } = t.dialect
    if (!itemId) return
    const seen = new Set<string>()
    for (let i = 0; i < t.history.length; i++) {
      const id = itemId(t.history[i])
      if (id === undefined) continue
      if (seen.has(id)) report('duplicate', [i, 'id'], { id }, [withoutId(t, i)])
      else seen.add(id)
    }
  },
})

export const explanation: Explanation = {
  summary: 'No two items have the same id.',
  why: 'Items that were sent twice, or that were split from one message, are rejected.',
  repair: 'Repair removes the id of the later item.',
}
