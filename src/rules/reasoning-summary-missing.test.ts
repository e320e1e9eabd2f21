import { testRule } from '../testing/index.ts'
import { reasoningSummaryMissing } from './reasoning-summary-missing.ts'

const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAAB' }
const said = { role: 'assistant', content: 'sunny' }
const dialect = 'openai-responses'

testRule(reasoningSummaryMissing, {
  dialects: [dialect],
  valid: {
    'an empty list': { before: [{ ...item, summary: [] }, said], dialect },
    'a summary': { before: [{ ...item, summary: [{ type: 'summary_text', text: 'hm' }] }, said], dialect },
  },
  invalid: {
    'left out': { before: [item, said], dialect, finds: ['missing'], after: [{ ...item, summary: [] }, said] },
    null: {
      before: [{ ...item, summary: null }, said],
      dialect,
      finds: ['missing'],
      after: [{ ...item, summary: [] }, said],
    },
    'a text': {
      before: [{ ...item, summary: 'I need the tool.' }, said],
      dialect,
      finds: ['missing'],
      after: [{ ...item, summary: [{ type: 'summary_text', text: 'I need the tool.' }] }, said],
    },
  },
})
