import { type Bound, defineRule, type Explanation, type Walk } from '../core/index.ts'
import { countsOf } from './count.ts'
import { faultsOf } from './seen.ts'
import { reportSplits } from './split.ts'

export const explanation: Explanation = {
  says: 'A turn has as many results as calls, in one message where the provider counts there.',
  why: 'Providers that count refuse the turn as a whole, without saying which call or result is at fault.',
  refusals: [
    /number of function response parts is (?:not )?equal to the number of function call parts/i,
    /Not the same number of function calls and responses/i,
  ],
}

/** Law: `split` — true: this law is about results of one turn that stand in several messages, not about their number. */
export const toolResultCountMismatch = defineRule({
  id: 'tool-result-count-mismatch',
  repair: 'lossy',
  messages: {
    count: 'This turn makes {calls} calls and has {results} results.',
    split: 'The {results} results of this turn stand in {messages} messages.',
  },
  checks: {
    end(walk, bound) {
      if (bound.law['split'] === true) reportSplits(walk, bound)
      else reportCounts(walk, bound)
    },
  },
})

function reportCounts(walk: Walk, bound: Bound): void {
  const { pairing } = walk
  if (pairing.strays.length === 0 && pairing.waiting.length === 0) return
  const isFaulty = faultsOf(walk)
  const waits = new Set<number>()
  for (const call of pairing.waiting) {
    if (pairing.isAnswered(call) || !((!walk.sending && pairing.isPending(call)) || walk.isExcused(call))) continue
    waits.add(pairing.roundOf(call))
  }
  for (const [from, { calls, results }] of countsOf(walk).rounds) {
    const at = pairing.messageOf(from)
    if ((isFaulty ? !isFaulty(at) : results === calls) || waits.has(from)) continue
    walk.report(bound, 'count', [at], { calls, results }, [{ do: 'settle', call: from }])
  }
}
