import { testRule } from '../testing/index.ts'
import { refusalReplay } from './refusal-replay.ts'

testRule(refusalReplay, {
  dialects: ['openai-chat'],
  valid: {
    text: `
      user: hello
      assistant: hi`,
  },
  invalid: {
    'a refusal part': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] },
      ],
      dialect: 'openai-chat',
      finds: ['refusal'],
      after: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'text', text: 'I cannot.' }] },
      ],
    },
    'a refusal part of an item': {
      before: [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] }],
      dialect: 'openai-responses',
      constraint: { as: 'output_text' },
      finds: ['refusal'],
      after: [{ role: 'assistant', content: [{ type: 'output_text', text: 'I cannot.' }] }],
    },
  },
})
