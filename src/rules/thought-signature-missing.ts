import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { splitSteps, type ThoughtSignature, unsignedCalls, withSentinel } from './lib/thought-signatures.ts'

export const thoughtSignatureMissing = defineRule({
  id: 'thought-signature-missing',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: {
    missing:
      'The call of {name} in message {index} has no thought signature; {rejects} it. {Repair} writes the value that skips the check.',
    split:
      'The call of {name} in message {index} belongs to the signed step before it, but is in a message of its own. {Repair} joins the two messages.',
  },
  check(t, constraint: Bound<ThoughtSignature>, report) {
    const loop = constraint.loop === true && !constraint.rejected
    for (const { call, moved } of unsignedCalls(t, loop))
      if (!moved) report('missing', call, { name: call.name ?? '(no name)' }, withSentinel(call, constraint))
    // Joined, the calls are one step with one signature again; nothing that anyone can read changes.
    for (const call of splitSteps(t))
      report('split', call, { name: call.name ?? '(no name)' }, [{ do: 'merge', message: call.message }], {
        severity: constraint.rejected ? constraint.severity : 'warning',
        harmless: true,
      })
  },
})

export const explanation: Explanation = {
  summary: 'The first call of each step has its thought signature.',
  why: 'Gemini 3 and later reject a call whose signature was lost.',
  repair: 'Repair puts the documented sentinel on the first call of each step that has no signature.',
}
