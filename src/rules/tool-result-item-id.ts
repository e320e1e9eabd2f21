import { defineRule, type Explanation, own, silent } from '../core/index.ts'
import { setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'An output does not carry the item id of its call.',
  why: 'The provider takes the output for the call and finds the call unanswered.',
  // None of its own: the provider says that the result is missing.
  refusals: [],
}

/** Law: `pattern` — ids that belong to a call item and that an output may not carry (default those that begin with `fc_`). */
export const toolResultItemId = defineRule({
  id: 'tool-result-item-id',
  repair: 'safe',
  quiet: silent,
  messages: { item: 'The output for {call} carries the item id {id}.' },
  checks: {
    result(part, bound, walk) {
      const id = own(part.value, 'id')
      if (typeof id !== 'string' || id === part.id) return
      if (!((bound.law['pattern'] as RegExp | undefined) ?? /^fc_/).test(id)) return
      walk.report(bound, 'item', part, { call: part.id ?? '(no id)', id }, [setPartKey(part, 'id', undefined)])
    },
  },
})
