import { testRule } from '../../testing/index.ts'
import { cacheControlUnsupported } from './cache-control-unsupported.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const text = { type: 'text', text: 'hi' }
const options = { rejectedBy: ['cache-control-unsupported'] }

testRule(cacheControlUnsupported, {
  valid: {
    'no mark': {
      before: `
        user: hi
        assistant: hello`,
      dialects: ['openai-chat', 'anthropic-messages'],
      options,
    },
    'marks that were not rejected, even with a constraint': {
      before: [{ role: 'user', content: [{ ...text, ...mark }] }],
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'marks on a message and on a block': {
      before: [{ role: 'user', content: [{ ...text, ...mark }], ...mark }],
      dialect: 'openai-chat',
      options,
      finds: ['unsupported', 'unsupported'],
      after: [{ role: 'user', content: [text] }],
    },
    'a mark on a tool message': {
      before: [{ role: 'tool', tool_call_id: 'a', content: 'sunny', ...mark }],
      dialect: 'openai-chat',
      options,
      finds: ['unsupported'],
      after: [{ role: 'tool', tool_call_id: 'a', content: 'sunny' }],
    },
    'a mark inside a result and one on it': {
      before: [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ ...text, ...mark }], ...mark }],
        },
      ],
      dialect: 'anthropic-messages',
      options,
      finds: ['unsupported', 'unsupported'],
      after: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text] }] }],
    },
    'marks on system and tools': {
      before: `user: hi`,
      dialects: ['anthropic-messages'],
      body: { system: [{ ...text, ...mark }], tools: [{ name: 'weather', ...mark }] },
      options,
      finds: ['unsupported', 'unsupported'],
      afterBody: { system: [text], tools: [{ name: 'weather' }] },
    },
  },
})
