import { defineRule, type Explanation, own } from '../core/index.ts'
import { reasoningItems, withoutReasoning } from './items.ts'

export const explanation: Explanation = {
  says: 'Encrypted reasoning comes back to the account and deployment that made it.',
  why: 'No one else can decrypt it.',
  refusals: [/encrypted content .{0,400}could not be verified/i, /invalid_encrypted_content/i],
}

/** Law: `begins` — how all that this provider has encrypted begins. Whether such a text can be read shows only after a refusal; then all of it goes. */
export const reasoningEncryptedContentInvalid = defineRule({
  id: 'reasoning-encrypted-content-invalid',
  repair: 'lossy',
  messages: {
    invalid: 'Encrypted reasoning was refused: all {count} reasoning items go.',
    foreign: 'This reasoning was not encrypted by this provider.',
  },
  checks: {
    end(walk, bound) {
      const begins = bound.law['begins'] as string | undefined
      if (!bound.refused && begins === undefined) return
      const items = reasoningItems(walk)
      if (!bound.refused) {
        for (const index of items)
          if (isForeign(own(walk.history[index], 'encrypted_content'), begins!))
            walk.report(bound, 'foreign', [index], {}, withoutReasoning([index], walk))
        return
      }
      if (items.length > 0)
        walk.report(bound, 'invalid', [items[0]!], { count: items.length }, withoutReasoning(items, walk))
    },
  },
})

function isForeign(content: unknown, begins: string): boolean {
  return typeof content === 'string' && content !== '' && !content.startsWith(begins)
}
