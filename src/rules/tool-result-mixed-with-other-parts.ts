import { defineRule, type Explanation, type Part, type Step } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'Tool results have a turn of their own.',
  why: 'Some models refuse results that share a turn with text or media.',
  refusals: [
    /Conversation blocks and tool result blocks cannot be provided in the same turn/i,
    /Requests ending with a model turn are not supported/i,
  ],
}

/** Law: `own` — results stand alone in their turn; without it the rule does nothing (their order is the pairing's matter) · `beside` — native types of parts that are no conversation. */
export const toolResultMixedWithOtherParts = defineRule({
  id: 'tool-result-mixed-with-other-parts',
  repair: 'safe',
  messages: { mixed: 'Tool results share this turn with {count} other parts.' },
  checks: {
    message({ index, role, parts }, bound, walk) {
      if ((bound.law['own'] !== true && !bound.refused) || role === 'assistant' || !walk.dialect.blocks) return
      if (!parts.some(isResult) || parts.every(isResult)) return
      const beside = (bound.law['beside'] ?? []) as readonly string[]
      const others = parts.filter((part) => !isResult(part) && part.index >= 0 && !beside.includes(part.type))
      if (others.length === 0) return
      // Whether a word has to stand between the two turns is role-order's.
      const steps = others.map((part): Step => ({ do: 'apart', part }))
      walk.report(bound, 'mixed', [index], { count: others.length }, steps)
    },
  },
})

function isResult(part: Part): boolean {
  return part.kind === 'result'
}
