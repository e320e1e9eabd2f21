import { testRule } from '../testing/index.ts'
import { reasoningContentMissing } from './reasoning-content-missing.ts'

const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }
const tool = { role: 'tool', tool_call_id: 'a', content: 'sunny' }
const history = (message: object) => [
  { role: 'user', content: 'weather?' },
  { role: 'assistant', content: null, tool_calls: [call], ...message },
  tool,
]

testRule(reasoningContentMissing, {
  constraint: { on: 'calls' },
  dialects: ['openai-chat'],
  valid: {
    'reasoning beside a call': { before: history({ reasoning_content: 'hm' }), dialect: 'openai-chat' },
    'empty reasoning': { before: history({ reasoning_content: '' }), dialect: 'openai-chat' },
    'a turn without calls': `
      user: hi
      assistant: hello
      user: ok`,
    'thinking switched off': {
      before: history({}),
      dialect: 'openai-chat',
      body: { thinking: { type: 'disabled' } },
    },
    'a model that thinks only if enabled': {
      before: history({}),
      dialect: 'openai-chat',
      constraint: { optIn: true },
    },
  },
  invalid: {
    'a call without reasoning: nothing is made up': {
      before: history({}),
      dialect: 'openai-chat',
      finds: ['missing'],
      after: history({ reasoning_content: '' }),
    },
    null: {
      before: history({ reasoning_content: null }),
      dialect: 'openai-chat',
      finds: ['missing'],
      after: history({ reasoning_content: '' }),
    },
    'the real text under the key of another service': {
      before: history({ reasoning: 'hm' }),
      dialect: 'openai-chat',
      constraint: { from: ['reasoning'] },
      finds: ['missing'],
      after: history({ reasoning: 'hm', reasoning_content: 'hm' }),
    },
    'every turn, where all need it': {
      before: `
        user: hi
        assistant: hello
        user: ok`,
      constraint: { on: 'all' },
      finds: ['missing'],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello', reasoning_content: '' },
        { role: 'user', content: 'ok' },
      ],
    },
    'a lost block of its own: thinking is switched off': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
      dialect: 'anthropic-messages',
      constraint: { blocks: true },
      body: { thinking: { type: 'enabled' } },
      finds: ['missing'],
      afterBody: { thinking: { type: 'disabled' } },
    },
    'a model that was asked to think': {
      before: history({}),
      dialect: 'openai-chat',
      constraint: { optIn: true },
      body: { thinking: { type: 'enabled' } },
      finds: ['missing'],
      after: history({ reasoning_content: '' }),
    },
  },
})
