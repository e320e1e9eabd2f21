import { type Bound, defineRule, type Explanation, own } from '../core/index.ts'

export interface ReasoningItemContentForbidden {
  /** The list that must be empty. Default: `content`. */
  readonly key?: string
}

export const reasoningItemContentForbidden = defineRule({
  id: 'reasoning-item-content-forbidden',
  phase: 'shape',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    content:
      'The reasoning item {index} has content; {rejects} that. {Repair} removes the content and keeps the summary.',
  },
  check(t, { key = 'content' }: Bound<ReasoningItemContentForbidden>, report) {
    for (const part of t.reasoning) {
      const content = own(part.value, key)
      if (Array.isArray(content) && content.length > 0)
        report('content', part, {}, [{ do: 'set-part', part, key, value: [] }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A reasoning item has a summary and no content.',
  why: 'OpenAI rejects the plain reasoning text that open models return.',
  repair: 'Repair empties the content.',
  rejections: [/'input\[\d+\]\.content': array too long\. Expected an array with maximum length 0/i],
}
