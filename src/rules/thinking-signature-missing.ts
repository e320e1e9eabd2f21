import { defineRule } from '../core/index.ts'

export const thinkingSignatureMissing = defineRule({
  id: 'thinking-signature-missing',
  says: 'Reasoning that is sent back is signed.',
  why: 'Reasoning without a signature comes from elsewhere, and is refused.',
  repair: 'lossy',
  refusals: [/thinking\.signature: Field required/i],
  messages: { unsigned: 'This reasoning has no signature.' },
  checks: {
    reasoning(part, bound, walk) {
      if (part.sign !== undefined && part.sign !== null) return
      walk.report(bound, 'unsigned', part, {}, [{ do: 'remove', part }])
    },
  },
})
