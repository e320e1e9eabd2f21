import { testRule } from '../testing/index.ts'
import { contentPartDirection } from './content-part-direction.ts'

const talk = (asked: string, said: string) => [
  { role: 'user', content: [{ type: asked, text: 'hello' }] },
  { role: 'assistant', content: [{ type: said, text: 'hi', annotations: [] }] },
]

testRule(contentPartDirection, {
  dialects: ['openai-responses'],
  valid: { 'each its own': { before: talk('input_text', 'output_text'), dialect: 'openai-responses' } },
  invalid: {
    'both the wrong way round': {
      before: talk('output_text', 'input_text'),
      dialect: 'openai-responses',
      finds: ['reverse output_text user', 'direction input_text assistant'],
      after: talk('input_text', 'output_text'),
    },
  },
})
