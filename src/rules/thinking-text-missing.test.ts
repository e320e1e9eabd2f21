import { testRule } from '../testing/index.ts'
import { thinkingTextMissing } from './thinking-text-missing.ts'

const said = (block: object) => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [block, { type: 'text', text: 'hello' }] },
]

testRule(thinkingTextMissing, {
  dialects: ['anthropic-messages'],
  valid: {
    'an empty text': {
      before: said({ type: 'thinking', thinking: '', signature: 's' }),
      dialect: 'anthropic-messages',
    },
    'redacted thinking': { before: said({ type: 'redacted_thinking', data: 'x' }), dialect: 'anthropic-messages' },
    'no signature either: that is another rule': { before: said({ type: 'thinking' }), dialect: 'anthropic-messages' },
  },
  invalid: {
    'a signature without a text': {
      before: said({ type: 'thinking', signature: 's' }),
      dialect: 'anthropic-messages',
      finds: ['textless'],
      after: said({ type: 'thinking', signature: 's', thinking: '' }),
    },
  },
})
