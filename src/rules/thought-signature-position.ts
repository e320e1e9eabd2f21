import { defineRule, type Explanation } from '../core/index.ts'
import { gather, signed, unsigned } from './thought-signatures.ts'

export const explanation: Explanation = {
  says: 'Of parallel calls the first one carries the thought signature.',
  why: 'A signature that slipped to a later call does not count: the first one is taken for unsigned.',
  // Worded as a missing signature.
  refusals: [],
}

/** Law: as thought-signature-missing. */
export const thoughtSignaturePosition = defineRule({
  id: 'thought-signature-position',
  repair: 'lossy',
  messages: { position: 'A later call is signed, but the first one, of {name}, is not.' },
  checks: {
    message: gather,
    end(walk, bound) {
      for (const { call, moved } of unsigned(bound, walk)) {
        if (moved) walk.report(bound, 'position', call, { name: call.name ?? '(no name)' }, [signed(call, bound)])
      }
    },
  },
})
