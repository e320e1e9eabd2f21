import { testRule } from '../testing/index.ts'
import { contentMissing } from './content-missing.ts'

const call = { tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }] }
const answer = { role: 'tool', tool_call_id: 'a', content: 'ok' }

testRule(contentMissing, {
  dialects: ['openai-chat'],
  valid: {
    'every message has one': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'a result without, where only others must': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, ...call },
        { role: 'tool', tool_call_id: 'a' },
      ],
      dialect: 'openai-chat',
      constraint: { roles: ['assistant'] },
    },
    'an item of another kind that says a role': {
      before: [
        { role: 'user', content: 'go' },
        { type: 'tool_search_output', role: 'user', execution: 'server', tools: [] },
      ],
      dialect: 'openai-responses',
    },
    'items that are no messages': {
      before: `
        user: go
        assistant: call a run
        tool: result a ok`,
      dialects: ['openai-responses'],
    },
  },
  invalid: {
    'a message that only calls': {
      before: [{ role: 'user', content: 'go' }, { role: 'assistant', ...call }, answer],
      dialect: 'openai-chat',
      finds: ['missing'],
      after: [{ role: 'user', content: 'go' }, { role: 'assistant', ...call, content: '' }, answer],
    },
    'a result': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, ...call },
        { role: 'tool', tool_call_id: 'a' },
      ],
      dialect: 'openai-chat',
      finds: ['missing'],
      after: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, ...call },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ],
    },
    'a message that says it under another key': {
      before: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'go' },
            { type: 'file', url: 'a.png' },
          ],
        },
        { role: 'assistant', text: 'ok' },
      ],
      dialect: 'openai-chat',
      finds: ['missing', 'missing'],
      after: [
        { role: 'user', content: 'go\n{"type":"file","url":"a.png"}' },
        { role: 'assistant', content: 'ok' },
      ],
    },
    'a message that has nothing at all goes': {
      before: [{ role: 'user', content: 'go' }, { role: 'assistant' }],
      dialect: 'openai-chat',
      finds: ['missing'],
      after: [{ role: 'user', content: 'go' }],
    },
  },
})
