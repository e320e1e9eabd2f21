import { defineRule } from '../core/index.ts'

/** Law: `across` — only a prompt between call and result is refused, not an assistant's own words. */
export const toolResultNotAdjacent = defineRule({
  id: 'tool-result-not-adjacent',
  says: 'A result stands where its provider looks for it: right behind its call.',
  why: 'A result anywhere else does not count: the call is taken for unanswered, the result for orphaned.',
  repair: 'safe',
  refusals: [],
  messages: { misplaced: 'The result of call {call} does not stand right behind it.' },
  checks: {
    stray(stray, bound, walk) {
      if (stray.fate !== 'misplaced') return
      if (bound.law['across'] === true && !walk.pairing.isAcross(stray.call, stray)) return
      const drop = stray.loser ? [{ do: 'remove', part: stray.loser } as const] : []
      walk.report(bound, 'misplaced', stray.part, { call: stray.part.id ?? '(no id)' }, [
        { do: 'settle', call: stray.call },
        ...drop,
      ])
    },
  },
})
