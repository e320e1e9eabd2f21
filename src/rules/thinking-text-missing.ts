import { defineRule, type Explanation, silent } from '../core/index.ts'
import { setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A signed thinking block has its text, if only an empty one.',
  why: 'Thinking whose text was left out is complete with "", and refused without the key.',
  refusals: [/thinking\.thinking: Field required/i],
}

/** Law: `type` — the kind of part that has a text · `key` — the key of that text; both `thinking` if not said. */
export const thinkingTextMissing = defineRule({
  id: 'thinking-text-missing',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { textless: 'This thinking block has a signature but no text.' },
  checks: {
    reasoning(part, bound, walk) {
      if (part.type !== (bound.law['type'] ?? 'thinking') || (part.body !== undefined && part.body !== null)) return
      if (part.sign === undefined || part.sign === null) return
      const key = (bound.law['key'] ?? 'thinking') as string
      walk.report(bound, 'textless', part, {}, [setPartKey(part, key, '')])
    },
  },
})
