import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { type ThoughtSignature, unsignedCalls, withSentinel } from './lib/thought-signatures.ts'

export const thoughtSignaturePosition = defineRule({
  id: 'thought-signature-position',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: {
    position:
      'In message {index} a later call has the thought signature, but the first one, of {name}, has none; {rejects} that. {Repair} writes the value that skips the check.',
  },
  check(t, constraint: Bound<ThoughtSignature>, report) {
    const loop = constraint.loop === true && !constraint.rejected
    for (const { call, moved } of unsignedCalls(t, loop))
      if (moved) report('position', call, { name: call.name ?? '(no name)' }, withSentinel(call, constraint))
  },
})

export const explanation: Explanation = {
  summary: 'The first of several parallel calls has the thought signature.',
  why: 'A signature on a later call does not count: the provider treats the first call as unsigned.',
  // Worded as a missing signature.
  repair: 'Repair puts the sentinel on the first call; the others keep what they have.',
}
