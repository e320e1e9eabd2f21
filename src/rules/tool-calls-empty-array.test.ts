import { testRule } from '../testing/index.ts'
import { toolCallsEmptyArray } from './tool-calls-empty-array.ts'

testRule(toolCallsEmptyArray, {
  dialects: ['openai-chat'],
  valid: {
    'no list': `
      user: hello
      assistant: hi`,
    null: {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi', tool_calls: null },
      ],
      dialect: 'openai-chat',
    },
  },
  invalid: {
    'an empty list': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi', tool_calls: [] },
      ],
      dialect: 'openai-chat',
      finds: ['empty'],
      after: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
    },
    'an empty list and nothing else: the message goes': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: null, tool_calls: [] },
      ],
      dialect: 'openai-chat',
      finds: ['empty'],
      after: [{ role: 'user', content: 'hello' }],
    },
  },
})
