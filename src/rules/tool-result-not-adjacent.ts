import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  HAS_OTHER,
  type ProviderPairing,
  pairingSeverity,
  type Report,
  type Transcript,
} from '../core/index.ts'
import { splitRounds } from './lib/split-rounds.ts'

export interface ToolResultNotAdjacent {
  /** How the provider itself pairs; without it our pairing decides. */
  readonly pairing?: ProviderPairing
  /** Only a prompt between call and result is rejected, not the assistant's own words. */
  readonly across?: boolean
  /** This constraint is about results of one turn in several neighboring messages, and about nothing else. */
  readonly split?: boolean
  /** Where outputs are paired by id alone: a message between a call and its output is rejected. */
  readonly interleaved?: boolean
}

export const toolResultNotAdjacent = defineRule({
  id: 'tool-result-not-adjacent',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    misplaced:
      'The result for call {call} in message {index} is not directly after its call; {rejects} that. {Repair} moves it.',
    early: 'The result for call {call} in message {index} is before its call; {rejects} that. {Repair} moves it.',
    split:
      'The {results} results of the turn at message {index} are in {messages} messages; {rejects} that. {Repair} puts them into one.',
  },
  check(t, constraint: Bound<ToolResultNotAdjacent>, report) {
    if (constraint.split) {
      for (const { at, results, messages, fix } of splitRounds(t)) report('split', at, { results, messages }, fix)
      return
    }
    if (constraint.interleaved) {
      checkInterleaved(t, report)
      return
    }
    for (const result of t.pairs.unmatched) {
      const { part, call, outcome, replaced } = result
      if (outcome !== 'misplaced' && (outcome !== 'early' || t.dialect.resultPlacement === 'anywhere')) continue
      if (constraint.across && outcome === 'misplaced' && !t.pairs.isAcrossPrompt(call, result)) continue
      const drop: Fix = replaced ? [{ do: 'remove', part: replaced }] : []
      // Where results are parts of a user's message, none is legal among the model's own, however the provider counts.
      const isAmongModels = t.dialect.blocks !== undefined && t.isAssistant(part.message)
      const severity = isAmongModels
        ? constraint.severity
        : pairingSeverity(t, constraint, [part.message, t.calls[call]!.message])
      report(outcome, part, { call: part.id ?? '(no id)' }, [{ do: 'complete-round', call }, ...drop], { severity })
    }
  },
})

/** An output moves to the end of the run of calls, reasoning and outputs that its call is in. */
function checkInterleaved(t: Transcript, report: Report<'misplaced' | 'early'>): void {
  let end = -1
  for (const call of t.calls) {
    const part = t.pairs.results[call.order]
    if (call.message > end) end = endOfRun(t, call.message)
    if (!part || (part.message <= end && part.message > call.message)) continue
    report(part.message < call.message ? 'early' : 'misplaced', part, { call: part.id ?? '(no id)' }, [
      { do: 'move', message: part.message, after: end },
    ])
  }
}

function endOfRun({ flags }: Transcript, message: number): number {
  let end = message
  while (end + 1 < flags.length && (flags[end + 1]! & HAS_OTHER) === 0 && flags[end + 1]! > 7) end++
  return end
}

export const explanation: Explanation = {
  summary: 'A result comes right after its call.',
  why: 'The provider ignores a result anywhere else: it reports the call as unanswered or the result as an orphan.',
  // Providers report a missing result instead.
  repair: 'Repair moves the result to its call.',
}
