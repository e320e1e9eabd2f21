import { defineRule, type Explanation, own, silent } from '../core/index.ts'
import { setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A reasoning item carries a summary and no content.',
  why: 'Plain reasoning text of open models is refused by a provider that keeps its own to itself.',
  refusals: [/'input\[\d+\]\.content': array too long\. Expected an array with maximum length 0/i],
}

/** Law: `key` — the list that must be empty. */
export const reasoningItemContentForbidden = defineRule({
  id: 'reasoning-item-content-forbidden',
  repair: 'lossy',
  quiet: silent,
  messages: { content: 'This reasoning item has content.' },
  checks: {
    reasoning(part, bound, walk) {
      const key = (bound.law['key'] ?? 'content') as string
      const content = own(part.value, key)
      if (!Array.isArray(content) || content.length === 0) return
      walk.report(bound, 'content', part, {}, [setPartKey(part, key, [])])
    },
  },
})
