import { defineRule, type Explanation, type Step } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'A turn that calls says nothing beside.',
  why: 'Some model families refuse text and calls in one turn.',
  refusals: [/Conversation blocks and tool use blocks cannot be provided in the same turn/i],
}

/** Law: no facts. */
export const toolCallMixedWithText = defineRule({
  id: 'tool-call-mixed-with-text',
  repair: 'lossy',
  messages: { mixed: 'Text stands beside the calls of this turn.' },
  checks: {
    message({ index, role, parts }, bound, walk) {
      if (role !== 'assistant' || !parts.some((part) => part.kind === 'call' && !part.server)) return
      const steps: Step[] = []
      for (const part of parts) if (part.kind === 'text') steps.push({ do: 'remove', part })
      if (steps.length > 0) walk.report(bound, 'mixed', [index], {}, steps)
    },
  },
})
