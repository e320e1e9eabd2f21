import { defineRule, type Explanation } from '../core/index.ts'
import { countsOf } from './count.ts'
import { isMended } from './mends.ts'
import { isUnread } from './odd-keys.ts'
import { strayAsSeen } from './seen.ts'
import { reportSplits } from './split.ts'

export const explanation: Explanation = {
  says: 'A result stands where its provider looks for it: right behind its call.',
  why: 'A result anywhere else does not count: the call is taken for unanswered, the result for orphaned.',
  // None of its own: providers say that the result is missing.
  refusals: [],
}

/**
 * Law: `across` — true: only a prompt between call and result is refused, not an assistant's own words ·
 * `split` — true: this law is about results of one turn that stand in several neighbouring messages, and about nothing else.
 */
export const toolResultNotAdjacent = defineRule({
  id: 'tool-result-not-adjacent',
  repair: 'safe',
  messages: {
    misplaced: 'The result of call {call} does not stand right behind it.',
    within: 'The result of call {call} stands behind other parts of the message it belongs in.',
    unread: 'The result of call {call} is far from it, and the call stands where this provider reads none.',
    split: 'The {results} results of this turn stand in {messages} messages.',
  },
  checks: {
    stray(stray, bound, walk) {
      if (bound.law['split'] === true) return
      // A result before its call is an orphan to most; where nobody says so, its call still waits for it.
      const waits = stray.fate === 'early' && !isMended('tool-result-orphan', walk)
      if (stray.fate !== 'misplaced' && !waits) return
      if (bound.law['across'] === true && !walk.pairing.isAcross(stray.call, stray)) return
      const drop = stray.loser ? [{ do: 'remove', part: stray.loser } as const] : []
      const own = stray.round >= 0 && walk.pairing.roundOf(stray.call) === stray.round
      const within = stray.fate === 'misplaced' && own && countsOf(walk).near.has(stray.part)
      const id = isUnread(walk.pairing.callAt(stray.call), walk) ? 'unread' : within ? 'within' : 'misplaced'
      walk.report(strayAsSeen(bound, stray, walk), id, stray.part, { call: stray.part.id ?? '(no id)' }, [
        { do: 'settle', call: stray.call },
        ...drop,
      ])
    },
    end(walk, bound) {
      if (bound.law['split'] === true) reportSplits(walk, bound)
    },
  },
})
