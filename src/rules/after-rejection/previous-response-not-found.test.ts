import { testRule } from '../../testing/index.ts'
import { previousResponseNotFound } from './previous-response-not-found.ts'

const before = [{ role: 'user', content: 'and?' }]
const dialect = 'openai-responses'

testRule(previousResponseNotFound, {
  dialects: [dialect],
  valid: {
    'a response that was not rejected': { before, dialect, body: { previous_response_id: 'resp_1' } },
    'a rejection with no response named': {
      before,
      dialect,
      body: { model: 'gpt-5' },
      options: { rejectedBy: ['previous-response-not-found'] },
    },
  },
  invalid: {
    'a rejection': {
      before,
      dialect,
      body: { previous_response_id: 'resp_1' },
      options: { rejectedBy: ['previous-response-not-found'] },
      finds: ['unknown resp_1'],
      afterBody: { input: before },
    },
  },
})
