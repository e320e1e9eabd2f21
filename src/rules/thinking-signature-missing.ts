import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

export const thinkingSignatureMissing = defineRule({
  id: 'thinking-signature-missing',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: { unsigned: 'A thinking block in message {index} has no signature; {rejects} it. {Repair} removes it.' },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.reasoning)
      if (part.signature === undefined || part.signature === null)
        report('unsigned', part, {}, [{ do: 'remove', part }])
  },
})

export const explanation: Explanation = {
  summary: 'Reasoning that is sent back has a signature.',
  why: 'Reasoning without a signature was not created by this provider and is rejected.',
  repair: 'Repair removes the unsigned reasoning.',
}
