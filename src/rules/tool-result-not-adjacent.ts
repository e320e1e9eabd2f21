import { type Bound, defineRule, type Explanation, type Fix } from '../core/index.ts'
import { type ProviderPairing, pairingSeverity } from './lib/provider-pairing.ts'
import { splitRounds } from './lib/split-rounds.ts'

export const explanation: Explanation = {
  says: 'A result stands where its provider looks for it: right behind its call.',
  why: 'A result anywhere else does not count: the call is taken for unanswered, the result for orphaned.',
  // None of its own: providers say that the result is missing.
  refusals: [],
}

export interface ToolResultNotAdjacent {
  /** How the provider itself pairs; without it our pairing decides. */
  readonly pairing?: ProviderPairing
  /** Only a prompt between call and result is rejected, not the assistant's own words. */
  readonly across?: boolean
  /** This constraint is about results of one turn in several neighboring messages, and about nothing else. */
  readonly split?: boolean
}

export const toolResultNotAdjacent = defineRule({
  id: 'tool-result-not-adjacent',
  phase: 'structure',
  repair: 'safe',
  messages: {
    misplaced: 'The result of call {call} is not directly after it.',
    early: 'The result of call {call} is before it.',
    split: 'The {results} results of this turn are in {messages} messages.',
  },
  check(t, constraint: Bound<ToolResultNotAdjacent>, report) {
    if (constraint.split) {
      for (const { at, results, messages, fix } of splitRounds(t)) report('split', at, { results, messages }, fix)
      return
    }
    for (const result of t.pairs.unmatched) {
      const { part, call, outcome, replaced } = result
      if (outcome !== 'misplaced' && (outcome !== 'early' || t.dialect.slot === 'anywhere')) continue
      if (constraint.across && !t.pairs.isAcrossPrompt(call, result)) continue
      const drop: Fix = replaced ? [{ do: 'remove', part: replaced }] : []
      const severity = pairingSeverity(t, constraint, [part.message, t.calls[call]!.message])
      report(outcome, part, { call: part.id ?? '(no id)' }, [{ do: 'complete-round', call }, ...drop], { severity })
    }
  },
})
