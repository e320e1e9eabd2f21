import { defineRule, type Explanation, type Step } from '../core/index.ts'
import { idOf, isModels, release } from './items.ts'

export const explanation: Explanation = {
  says: 'An item with an id comes with the reasoning it was made with.',
  why: 'The provider knows by the id which reasoning belongs to the item, and refuses it alone.',
  refusals: [/of type '\w+' was provided without its required 'reasoning' item/i],
}

/** Cannot be seen in a history: acts only after a refusal. */
export const itemWithoutReasoning = defineRule({
  id: 'item-without-reasoning',
  repair: 'lossy',
  messages: { alone: 'An item came back without its reasoning: {count} items lose their ids.' },
  checks: {
    end(walk, bound) {
      if (!bound.refused) return
      const steps: Step[] = []
      let first = -1
      // All of them: which reasoning an item was made with is not in the history.
      for (let i = 0; i < walk.history.length; i++) {
        if (!isModels(i, walk) || idOf(walk.history[i]) === undefined) continue
        if (first < 0) first = i
        steps.push(release(i, walk))
      }
      if (first >= 0) walk.report(bound, 'alone', [first], { count: steps.length }, steps)
    },
  },
})
