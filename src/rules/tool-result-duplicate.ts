import { defineRule } from '../core/index.ts'
import { isCounted } from './count.ts'
import { discard } from './discard.ts'

/** Law: no facts. */
export const toolResultDuplicate = defineRule({
  id: 'tool-result-duplicate',
  says: 'A call has one result.',
  why: 'Two results for one call are refused, or the wrong one is read.',
  repair: 'safe',
  refusals: [/each `?tool_use`? must have a single result/i, /Found multiple `?tool_result`? blocks with id/i],
  messages: {
    duplicate: 'Call {call} has another result already.',
    counted: 'Call {call} has another result already, though its turn has no more results than calls.',
  },
  checks: {
    stray(stray, bound, walk) {
      if (stray.fate !== 'duplicate' || !stray.inSlot) return
      walk.report(
        bound,
        isCounted(stray, walk) ? 'counted' : 'duplicate',
        stray.part,
        { call: stray.part.id ?? '(no id)' },
        discard(stray, walk),
      )
    },
  },
})
