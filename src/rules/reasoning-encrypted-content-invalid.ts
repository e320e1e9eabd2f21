import { defineRule, type Explanation } from '../core/index.ts'
import { reasoningItems, withoutReasoning } from './items.ts'

export const explanation: Explanation = {
  says: 'Encrypted reasoning comes back to the account and deployment that made it.',
  why: 'No one else can decrypt it.',
  refusals: [/encrypted content .*could not be verified/i, /invalid_encrypted_content/i],
}

/** Cannot be seen in a history: acts only after a refusal. */
export const reasoningEncryptedContentInvalid = defineRule({
  id: 'reasoning-encrypted-content-invalid',
  repair: 'lossy',
  messages: { invalid: 'Encrypted reasoning was refused: all {count} reasoning items go.' },
  checks: {
    end(walk, bound) {
      const items = reasoningItems(walk)
      if (!bound.refused || items.length === 0) return
      walk.report(bound, 'invalid', [items[0]!], { count: items.length }, withoutReasoning(items, walk))
    },
  },
})
