import { type Bound, defineRule, type Explanation, type ProviderPairing, pairingSeverity } from '../core/index.ts'
import { discardResult } from './lib/result-notes.ts'

export interface ToolResultDuplicate {
  /** How the provider itself pairs; without it our pairing decides. */
  readonly pairing?: ProviderPairing
}

export const toolResultDuplicate = defineRule({
  id: 'tool-result-duplicate',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    duplicate:
      'The result in message {index} is a second one for call {call}; {rejects} that. {Repair} keeps one result; different content of the other stays as a note.',
  },
  check(t, constraint: Bound<ToolResultDuplicate>, report) {
    for (const result of t.pairs.unmatched) {
      if (result.outcome !== 'duplicate' || !result.inSlot) continue
      const { part, call } = result
      const severity = pairingSeverity(t, constraint, [part.message, t.calls[call]!.message])
      const { fix, harmless } = discardResult(result, t)
      report('duplicate', part, { call: part.id ?? '(no id)' }, fix, { severity, harmless })
    }
  },
})

export const explanation: Explanation = {
  summary: 'A call has exactly one result.',
  why: 'Two results for one call are rejected, or the model reads the wrong one.',
  repair: 'Repair keeps the real result.',
}
