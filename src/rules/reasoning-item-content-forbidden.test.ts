import { testRule } from '../testing/index.ts'
import { reasoningItemContentForbidden } from './reasoning-item-content-forbidden.ts'

const item = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }
const answer = { role: 'assistant', content: 'sunny' }
const dialect = 'openai-responses'

testRule(reasoningItemContentForbidden, {
  dialects: [dialect],
  valid: {
    'no content': { before: [item, answer], dialect },
    'an empty list': { before: [{ ...item, content: [] }, answer], dialect },
    null: { before: [{ ...item, content: null }, answer], dialect },
  },
  invalid: {
    'the reasoning text of an open model': {
      before: [{ ...item, content: [{ type: 'reasoning_text', text: 'long' }] }, answer],
      dialect,
      finds: ['content'],
      after: [{ ...item, content: [] }, answer],
    },
  },
})
