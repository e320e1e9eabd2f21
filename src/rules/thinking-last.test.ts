import { testRule } from '../testing/index.ts'
import { thinkingLast } from './thinking-last.ts'

const think = { type: 'thinking', thinking: 'hm', signature: 'EqQBc2ln' }
const go = { role: 'user', content: 'go' }

testRule(thinkingLast, {
  dialects: ['anthropic-messages'],
  valid: {
    'a text after it': {
      before: [go, { role: 'assistant', content: [think, { type: 'text', text: 'ok' }] }, go],
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'an answer that was aborted after its reasoning': {
      before: [go, { role: 'assistant', content: [think] }, go],
      dialect: 'anthropic-messages',
      finds: ['last'],
      after: [
        go,
        { role: 'assistant', content: [think, { type: 'text', text: '[The answer was interrupted here.]' }] },
        go,
      ],
    },
    'redacted reasoning whose data was emptied: no other rule removes it': {
      before: [go, { role: 'assistant', content: [{ type: 'redacted_thinking', data: '' }] }, go],
      dialect: 'anthropic-messages',
      finds: ['last'],
      after: [
        go,
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: '' },
            { type: 'text', text: '[The answer was interrupted here.]' },
          ],
        },
        go,
      ],
    },
  },
})
