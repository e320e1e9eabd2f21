import { defineRule, type Explanation } from '../core/index.ts'
import { gather, signed, unsigned } from './thought-signatures.ts'

export const explanation: Explanation = {
  says: 'The first call of each step carries its thought signature.',
  why: 'Gemini 3 and later refuse a call whose signature was lost on the way.',
  refusals: [/missing a `?thought_signature/i],
}

/**
 * Law: `keys` — by type of call the key of its signature · `sentinel` — what stands for a lost one ·
 * `loop` — only calls behind the last prompt are checked.
 */
export const thoughtSignatureMissing = defineRule({
  id: 'thought-signature-missing',
  repair: 'lossy',
  messages: { missing: 'Call of {name} has no thought signature.' },
  checks: {
    message: gather,
    end(walk, bound) {
      for (const { call, moved } of unsigned(bound, walk)) {
        if (moved && walk.plan.bounds.has('thought-signature-position')) continue
        walk.report(bound, 'missing', call, { name: call.name ?? '(no name)' }, [signed(call, bound)])
      }
    },
  },
})
