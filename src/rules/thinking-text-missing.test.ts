import { testRule } from '../testing/index.ts'
import { thinkingTextMissing } from './thinking-text-missing.ts'

const message = (block: object) => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [block, { type: 'text', text: 'hello' }] },
]

testRule(thinkingTextMissing, {
  dialects: ['anthropic-messages'],
  valid: {
    'an empty text': {
      before: message({ type: 'thinking', thinking: '', signature: 's' }),
      dialect: 'anthropic-messages',
    },
    'redacted thinking': { before: message({ type: 'redacted_thinking', data: 'x' }), dialect: 'anthropic-messages' },
    'no signature either: that is another rule': {
      before: message({ type: 'thinking' }),
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'a signature without a text': {
      before: message({ type: 'thinking', signature: 's' }),
      dialect: 'anthropic-messages',
      finds: ['textless'],
      after: message({ type: 'thinking', signature: 's', thinking: '' }),
    },
  },
})
