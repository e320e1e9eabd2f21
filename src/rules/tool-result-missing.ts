import { defineRule, type Explanation } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'Every tool call has a result.',
  why: 'One unanswered call and the whole request is refused, on every later turn too.',
  refusals: [
    /tool_use`? ids were found without `?tool_result/i,
    /Did not find \d+ `?tool_result`? block/i,
    /assistant message with \W*tool_calls\W+must be followed by/i,
    /No tool output found for [\w ]+ call/i,
    /Expected toolResult blocks at messages/i,
    /Tool results? (?:is|are) missing for tool calls?/i,
    /ToolInvocation must have a result/i,
    /Found AIMessages with tool_calls that do not have a corresponding ToolMessage/i,
    /tool call result does not follow tool call/i,
  ],
}

/** Law: no facts. */
export const toolResultMissing = defineRule({
  id: 'tool-result-missing',
  repair: 'lossy',
  messages: { missing: 'Call {call} of {name} has no result.' },
  checks: {
    unanswered(call, bound, walk) {
      const part = walk.pairing.callAt(call)
      const steps =
        walk.policy.unanswered === 'omit' ? ({ do: 'remove', part } as const) : ({ do: 'settle', call } as const)
      walk.report(bound, 'missing', part, { call: part.id ?? '(no id)', name: part.name ?? '(no name)' }, [steps])
    },
  },
})
