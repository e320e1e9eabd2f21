import { defineRule, type Explanation } from '../core/index.ts'
import { gatherIds, type Ids } from './items.ts'

export const explanation: Explanation = {
  says: 'Items carry no id where ids belong to a connection.',
  why: 'The next request may go to another backend, which knows none of them.',
  refusals: [/input item ID does not belong to this connection/i],
}

export const itemIdOtherConnection = defineRule({
  id: 'item-id-other-connection',
  repair: 'safe',
  messages: { ids: '{count} items carry ids of a connection that may be gone.' },
  checks: {
    message: gatherIds,
    end(walk, bound) {
      const ids = walk.memory.get(bound.rule.id) as Ids | undefined
      if (ids) walk.report(bound, 'ids', [ids.first], { count: ids.steps.length }, ids.steps)
    },
  },
})
