import { testRule } from '../testing/index.ts'
import { contentPartDirection } from './content-part-direction.ts'

const history = (user: string, assistant: string) => [
  { role: 'user', content: [{ type: user, text: 'hello' }] },
  { role: 'assistant', content: [{ type: assistant, text: 'hi', annotations: [] }] },
]

testRule(contentPartDirection, {
  constraint: {
    swaps: {
      user: { output_text: 'input_text' },
      system: { output_text: 'input_text' },
      assistant: { input_text: 'output_text' },
    },
  },
  dialects: ['openai-responses'],
  valid: { 'each its own': { before: history('input_text', 'output_text'), dialect: 'openai-responses' } },
  invalid: {
    'both the wrong way round': {
      before: history('output_text', 'input_text'),
      dialect: 'openai-responses',
      finds: ['direction output_text user', 'direction input_text assistant'],
      after: history('output_text', 'output_text'),
    },
  },
})
