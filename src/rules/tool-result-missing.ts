import { type Bound, defineRule, type Explanation, type ProviderPairing, pairingSeverity } from '../core/index.ts'

export interface ToolResultMissing {
  /** How the provider itself pairs; without it our pairing decides. */
  readonly pairing?: ProviderPairing
  /** Native types of calls that this is known for; other types are only a warning. Default: all. */
  readonly types?: readonly string[]
}

export const toolResultMissing = defineRule({
  id: 'tool-result-missing',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: {
    missing:
      'Call {call} of {name} in message {index} has no result; {rejects} the request. {Repair} adds a result that says the outcome is unknown, or removes the call if `policy.unanswered` is "omit".',
  },
  check(t, constraint: Bound<ToolResultMissing>, report) {
    const { pairs, inProgress } = t
    for (const order of pairs.waiting) {
      const call = t.calls[order]!
      if (pairs.results[order] || (inProgress && pairs.isPending(order)) || t.isExempt(call)) continue
      const fix =
        t.policy.unanswered === 'omit'
          ? ({ do: 'remove', part: call } as const)
          : ({ do: 'complete-round', call: order } as const)
      const isKnown = constraint.types?.includes(call.type) ?? true
      const severity = isKnown ? pairingSeverity(t, constraint, [call.message]) : 'warning'
      report('missing', call, { call: call.id ?? '(no id)', name: call.name ?? '(no name)' }, [fix], { severity })
    }
  },
})

export const explanation: Explanation = {
  summary: 'Every tool call has a result.',
  why: 'One call without a result makes the provider reject this request and every later one.',
  repair: 'Repair adds a result that says that none was recorded, and why.',
}
