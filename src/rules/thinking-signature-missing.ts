import { defineRule, type Explanation, silent } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'Reasoning that is sent back is signed.',
  why: 'Reasoning without a signature comes from elsewhere, and is refused.',
  refusals: [/thinking\.signature: Field required/i],
}

export const thinkingSignatureMissing = defineRule({
  id: 'thinking-signature-missing',
  repair: 'lossy',
  quiet: silent,
  messages: { unsigned: 'This reasoning has no signature.' },
  checks: {
    reasoning(part, bound, walk) {
      if (part.sign !== undefined && part.sign !== null) return
      walk.report(bound, 'unsigned', part, {}, [{ do: 'remove', part }])
    },
  },
})
