import { testRule } from '../testing/index.ts'
import { reasoningSummaryMissing } from './reasoning-summary-missing.ts'

const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAAB' }
const answer = { role: 'assistant', content: 'sunny' }
const dialect = 'openai-responses'

testRule(reasoningSummaryMissing, {
  dialects: [dialect],
  valid: {
    'an empty list': { before: [{ ...item, summary: [] }, answer], dialect },
    'a summary': { before: [{ ...item, summary: [{ type: 'summary_text', text: 'hm' }] }, answer], dialect },
  },
  invalid: {
    'left out': { before: [item, answer], dialect, finds: ['missing'], after: [{ ...item, summary: [] }, answer] },
    null: {
      before: [{ ...item, summary: null }, answer],
      dialect,
      finds: ['missing'],
      after: [{ ...item, summary: [] }, answer],
    },
    'a text': {
      before: [{ ...item, summary: 'I need the tool.' }, answer],
      dialect,
      finds: ['missing'],
      after: [{ ...item, summary: [{ type: 'summary_text', text: 'I need the tool.' }] }, answer],
    },
  },
})
