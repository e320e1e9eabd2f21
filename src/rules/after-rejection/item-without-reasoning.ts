import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { itemsWithId, withoutId } from '../lib/items.ts'

export const itemWithoutReasoning = defineAfterRejection({
  id: 'item-without-reasoning',
  phase: 'structure',
  repair: 'lossy',
  about: () => ({ keys: ['id'] }),
  messages: {
    alone:
      '{provider} rejected an item that came without its reasoning. {Repair} removes the ids of all items of the assistant ({count}).',
  },
  check(t, _constraint, report) {
    // All of them: which reasoning an item was made with is not in the history.
    const items = itemsWithId(t).filter((item) => t.isAssistant(item))
    const fix = items.map((item) => withoutId(t, item))
    if (items.length > 0) report('alone', [items[0]!], { count: items.length }, fix)
  },
})

export const explanation: Explanation = {
  summary: 'An item with an id comes with the reasoning item it was generated with.',
  why: 'The provider knows from the id which reasoning belongs to the item, and rejects the item without it.',
  repair: 'Repair removes those ids; `call_id` still pairs a call with its output.',
}
