import { defineRule, type Explanation, type Part, type Stray, type Walk } from '../core/index.ts'
import { countsOf, passOf } from './count.ts'
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
      const worse = worseOf(stray, walk)
      if (!worse && (stray.fate !== 'duplicate' || !stray.inSlot)) return
      walk.report(
        strayAsSeen(bound, stray, walk),
        passOf(stray, walk) ?? 'duplicate',
        worse ?? stray.part,
        { call: stray.part.id ?? '(no id)' },
        worse ? [{ do: 'remove', part: worse }] : discard(stray, walk),
      )
    },
  },
})

/** Both stand in their turn, behind other parts of its message: the better one is the answer, and the other is one too many. */
function worseOf({ part, loser }: Stray, walk: Walk): Part | undefined {
  const { near } = countsOf(walk)
  return loser && near.has(part) && near.has(loser) ? loser : undefined
}
