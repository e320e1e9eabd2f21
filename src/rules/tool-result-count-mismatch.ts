import {
  type Bound,
  defineRule,
  type Explanation,
  type ProviderPairing,
  providerFaults,
  type Report,
  type Transcript,
} from '../core/index.ts'
import { splitRounds } from './lib/split-rounds.ts'

export interface ToolResultCountMismatch {
  /** How the provider counts. */
  readonly pairing?: ProviderPairing
  /** This constraint is about results of one turn in several messages, not about their number. */
  readonly split?: boolean
}

export const toolResultCountMismatch = defineRule({
  id: 'tool-result-count-mismatch',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'results'] }),
  repair: 'lossy',
  messages: {
    count:
      'The turn at message {index} has unequal numbers of calls ({calls}) and results ({results}); {rejects} that. {Repair} makes the numbers equal.',
    split:
      'The {results} results of the turn at message {index} are in {messages} messages; {rejects} that. {Repair} puts them into one.',
  },
  check(t, constraint: Bound<ToolResultCountMismatch>, report) {
    if (constraint.split)
      for (const { at, results, messages, fix } of splitRounds(t)) report('split', at, { results, messages }, fix)
    else checkCounts(t, constraint, report)
  },
})

function checkCounts(t: Transcript, { pairing }: Bound<ToolResultCountMismatch>, report: Report<'count'>): void {
  const { pairs, calls } = t
  if (pairs.waiting.length === 0 && pairs.unmatched.length === 0) return
  const isFaulty = providerFaults(t, pairing)
  const isOpen = (order: number) =>
    !pairs.results[order] && ((t.inProgress && pairs.isPending(order)) || t.isExempt(calls[order]!))
  const after = new ResultsAfter(t)
  for (const round of irregularRounds(t)) {
    const message = calls[round]!.message
    let count = 0
    let open = false
    for (let i = round; i < calls.length && pairs.rounds[i] === round; i++, count++) open ||= isOpen(i)
    const results = after.of(message)
    if (open || (isFaulty ? !isFaulty(message) : results === count)) continue
    report('count', [message], { calls: count, results }, [{ do: 'complete-round', call: round }])
  }
}

/** Rounds with a call that has no result in its place, or with a result that answers none of their calls. */
function irregularRounds({ pairs }: Transcript): readonly number[] {
  const rounds = new Set(pairs.waiting.map((order) => pairs.rounds[order]!))
  for (const { round } of pairs.unmatched) if (round >= 0) rounds.add(round)
  return [...rounds].sort((a, b) => a - b)
}

/** Counts results in the messages directly after a run of answers. The rounds of one run share the count. */
class ResultsAfter {
  private runEnd = -1
  private count = 0
  private readonly t: Transcript

  constructor(t: Transcript) {
    this.t = t
  }

  of(message: number): number {
    if (message >= this.runEnd) this.countFrom(message + 1)
    return this.count
  }

  private countFrom(start: number): void {
    const { t } = this
    let at = start
    while (at < t.history.length && t.isAssistant(at)) at++
    this.runEnd = at
    this.count = 0
    for (; at < t.history.length && !t.isAssistant(at) && !t.isPrompt(at) && t.role(at) !== 'system'; at++)
      this.count += t.partsOf(at).filter(({ kind, server }) => kind === 'result' && !server).length
  }
}

export const explanation: Explanation = {
  summary: 'A turn has as many results as calls, in one message if the provider requires it.',
  why: 'Providers that count reject the whole turn without naming the call or result at fault.',
  repair: 'Repair completes, moves or removes results within the turn.',
}
