import { defineRule, type Explanation } from '../core/index.ts'
import { passOf } from './count.ts'
import { discard } from './discard.ts'
import { strayAsSeen } from './seen.ts'

export const explanation: Explanation = {
  says: 'A call has one result.',
  why: 'Two results for one call are refused, or the wrong one is read.',
  refusals: [/each `?tool_use`? must have a single result/i, /Found multiple `?tool_result`? blocks with id/i],
}

/** Law: no facts. */
export const toolResultDuplicate = defineRule({
  id: 'tool-result-duplicate',
  repair: 'safe',
  messages: {
    duplicate: 'Call {call} has another result already.',
    counted: 'Call {call} has another result already, though its turn has as many results as calls.',
    shared: 'Call {call} has another result already, though its turn has a result for each id.',
    twin: 'Call {call} has another result already, though its turn has as many results as calls, and one for each id.',
  },
  checks: {
    stray(stray, bound, walk) {
      if (stray.fate !== 'duplicate' || !stray.inSlot) return
      walk.report(
        strayAsSeen(bound, stray, walk),
        passOf(stray, walk) ?? 'duplicate',
        stray.part,
        { call: stray.part.id ?? '(no id)' },
        discard(stray, walk),
      )
    },
  },
})
