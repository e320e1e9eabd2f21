import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { itemsWithId, withoutId } from './lib/items.ts'

export const itemIdOtherConnection = defineRule({
  id: 'item-id-other-connection',
  phase: 'structure',
  repair: 'safe',
  about: () => ({ keys: ['id'] }),
  messages: {
    ids: 'Item ids ({count}) belong to a connection that may be closed; {rejects} them on another one. {Repair} removes them.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const items = itemsWithId(t)
    const fix = items.map((item) => withoutId(t, item))
    if (items.length > 0) report('ids', [items[0]!], { count: items.length }, fix)
  },
})

export const explanation: Explanation = {
  summary: "Items have no id if the provider's ids are valid for one connection only.",
  why: 'The next request may reach another backend, which does not know the ids.',
  repair: 'Repair removes all item ids.',
}
