import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { isBlanked, promptFrom, removals } from './lib/thinking.ts'

/** Only a blanked signature can be seen; the rest is done after a rejection. */
export const thinkingSignatureInvalid = defineRule({
  id: 'thinking-signature-invalid',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    blanked:
      'A thinking block in message {index} has an empty signature; {rejects} it. {Repair} removes the thinking blocks up to the end of its turn ({count}).',
    rejected: '{provider} rejected the signature of a thinking block. {Repair} removes all thinking blocks ({count}).',
  },
  check(t, { rejected }: Bound<NoParams>, report) {
    const { reasoning } = t
    if (rejected) {
      if (reasoning.length > 0) report('rejected', reasoning[0]!, { count: reasoning.length }, removals(reasoning))
      return
    }
    const last = reasoning.findLast(isBlanked)
    if (!last) return
    // From the beginning up to the end of its turn: what follows keeps an unbroken chain of its own.
    const end = Math.max(promptFrom(t, last.message), last.message + 1)
    const gone = reasoning.filter(({ message }) => message < end)
    report('blanked', reasoning.find(isBlanked)!, { count: gone.length }, removals(gone))
  },
})

export const explanation: Explanation = {
  summary: 'A thinking block is sent back with its original signature.',
  why: 'A signature of another model, or an empty one, fails the check.',
  repair:
    'Repair removes the thinking up to the end of the turn with the empty signature; after a rejection, all of it.',
}
