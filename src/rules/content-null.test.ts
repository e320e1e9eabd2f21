import { testRule } from '../testing/index.ts'
import { contentNull } from './content-null.ts'

const calling = (content: unknown) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'ok' },
]

testRule(contentNull, {
  dialects: ['openai-chat'],
  valid: {
    'null beside calls': { before: calling(null), dialect: 'openai-chat' },
    'a thought without content': {
      before: [
        { role: 'user', content: 'go' },
        { type: 'reasoning', id: 'rs_1', summary: [], content: null },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
      ],
      dialect: 'openai-responses',
    },
  },
  invalid: {
    'null beside calls, where that is rejected': {
      before: calling(null),
      dialect: 'openai-chat',
      constraint: { calls: true },
      finds: ['null'],
      after: calling(''),
    },
    'an assistant that says nothing': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: null },
        { role: 'user', content: 'well?' },
      ],
      dialect: 'openai-chat',
      finds: ['null'],
      after: [
        { role: 'user', content: 'hello' },
        { role: 'user', content: 'well?' },
      ],
    },
    'a result that says nothing': {
      before: [...calling('').slice(0, 2), { role: 'tool', tool_call_id: 'a', content: null }],
      dialect: 'openai-chat',
      finds: ['null'],
      after: [...calling('').slice(0, 2), { role: 'tool', tool_call_id: 'a', content: '' }],
    },
    'a message item': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: null },
      ],
      dialect: 'openai-responses',
      finds: ['null'],
      after: [{ role: 'user', content: 'hello' }],
    },
  },
})
