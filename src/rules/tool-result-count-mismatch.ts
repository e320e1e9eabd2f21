import { type Bound, defineRule, type Explanation, HAS_RESULT, ROLE, type Walk } from '../core/index.ts'
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
  const { strays } = pairing
  if (strays.length === 0 && pairing.waiting.length === 0) return
  const away = new Set(strays.filter(({ fate }) => fate === 'misplaced' || fate === 'early').map(({ part }) => part))
  const extra = extrasOf(walk)
  for (let from = 0; from < pairing.count; ) {
    let to = from
    let results = extra.get(from) ?? 0
    let waits = false
    for (; to < pairing.count && pairing.roundOf(to) === from; to++) {
      const answered = pairing.isAnswered(to)
      if (answered && (away.size === 0 || !away.has(pairing.answerAt(to)!))) results++
      else if (!answered && ((!walk.sending && pairing.isPending(to)) || walk.isExcused(to))) waits = true
    }
    const count = to - from
    if (results !== count && !waits) {
      const data = { calls: count, results }
      walk.report(bound, 'count', [pairing.messageOf(from)], data, [{ do: 'settle', call: from }])
    }
    from = to
  }
}

/** How many results stand in the slot of a round beside those of its own calls. Strays come in order, so the slot is walked once. */
function extrasOf(walk: Walk): ReadonlyMap<number, number> {
  const extras = new Map<number, number>()
  let round = -1
  let reached = 0
  for (const stray of walk.pairing.strays) {
    if (stray.round < 0 || stray.fate === 'early') continue
    if (stray.round !== round) {
      round = stray.round
      reached = walk.pairing.messageOf(round)
    }
    while (reached < stray.part.message && isSlot(walk.outlines[reached + 1]!)) reached++
    const own = stray.call >= 0 && walk.pairing.roundOf(stray.call) === round && stray.fate === 'misplaced'
    if (reached === stray.part.message && !own) extras.set(round, (extras.get(round) ?? 0) + 1)
  }
  return extras
}

function isSlot(outline: number): boolean {
  const role = outline & 7
  return role === ROLE.assistant || role === ROLE.tool || (outline & HAS_RESULT) !== 0
}
