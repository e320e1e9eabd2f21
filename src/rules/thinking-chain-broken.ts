import { defineRule, type Explanation } from '../core/index.ts'
import { reasoningOf, release, remember, signed } from './thinking.ts'

export const explanation: Explanation = {
  says: 'No thinking block is missing from between others.',
  why: 'A block is checked against the one that preceded it when it was made.',
  refusals: [/thinking`? block that preceded this one when it was created is missing/i],
}

/** Cannot be seen in a history: acts only after a refusal. Law: `setting`, `header` — as in thinking-bound-to-other-prefix. */
export const thinkingChainBroken = defineRule({
  id: 'thinking-chain-broken',
  repair: 'lossy',
  quiet: signed,
  messages: { broken: 'A block of thinking is missing before others, {count} are left.' },
  checks: {
    reasoning: remember,
    end(walk, bound) {
      const parts = reasoningOf(walk)
      if (!bound.refused || parts.length === 0) return
      const steps = release(parts, bound, walk)
      if (steps !== 'handled') walk.report(bound, 'broken', parts[0]!, { count: parts.length }, steps)
    },
  },
})
