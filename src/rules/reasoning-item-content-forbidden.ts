import { type Bound, defineRule, type Explanation, type NoParams, own } from '../core/index.ts'

export const reasoningItemContentForbidden = defineRule({
  id: 'reasoning-item-content-forbidden',
  phase: 'shape',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    content:
      'The reasoning item {index} has content; {rejects} that. {Repair} removes the content and keeps the summary.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.reasoning) {
      const content = own(part.value, 'content')
      if (Array.isArray(content) && content.length > 0)
        report('content', part, {}, [{ do: 'set-part', part, key: 'content', value: [] }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A reasoning item has a summary and no content.',
  why: 'OpenAI rejects the plain reasoning text that open models return.',
  repair: 'Repair empties the content.',
}
