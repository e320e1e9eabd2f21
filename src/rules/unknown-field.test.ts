import { testRule } from '../testing/index.ts'
import { unknownField } from './unknown-field.ts'

testRule(unknownField, {
  constraint: {
    fields: { tool_use: ['caller'], function: ['name'] },
    messages: { assistant: ['name'], '*': ['files'] },
  },
  dialects: ['anthropic-messages', 'openai-chat'],
  valid: {
    'nothing that was rejected': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'a field without a rejection on record': {
      before: [{ role: 'user', content: 'hello', name: 'anna', nickname: 1 }],
      dialect: 'openai-chat',
    },
    'a field in no list': {
      before: [{ role: 'user', content: 'hello', nickname: 1 }],
      dialect: 'openai-chat',
      options: { strict: true },
    },
    'a tool of the name of a type': {
      before: [{ role: '__proto__', content: [{ type: '__proto__', caller: 1 }] }],
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'a field that holds content: reported, and left alone': {
      before: [{ role: 'user', content: 'hello', nickname: 1 }],
      dialect: 'openai-chat',
      constraint: { leave: true, messages: { '*': ['nickname'] } },
      finds: ['field nickname'],
    },
    'the same in the strict mode': {
      before: [{ role: 'user', content: 'hello', nickname: 1 }],
      dialect: 'openai-chat',
      constraint: { leave: true, messages: { '*': ['nickname'] } },
      options: { strict: true },
      finds: ['field nickname'],
      after: [{ role: 'user', content: 'hello' }],
    },
    'a field of a block': {
      before: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'run', input: {}, caller: { type: 'direct' } }],
        },
      ],
      dialect: 'anthropic-messages',
      finds: ['field caller'],
      after: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
      ],
    },
    'a field of any part': {
      before: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
      dialect: 'gemini',
      constraint: { fields: { '*': ['type'] } },
      finds: ['field type'],
      after: [{ role: 'user', parts: [{ text: 'go' }] }],
    },
    'fields of a message and of its calls': {
      before: [
        { role: 'user', content: 'go', files: null, name: 'anna' },
        {
          role: 'assistant',
          content: '',
          name: 'bot',
          tool_calls: [{ id: 'a', type: 'function', name: 'run', function: { name: 'run', arguments: '{}' } }],
        },
      ],
      dialect: 'openai-chat',
      finds: ['field name', 'field files', 'field name'],
      after: [
        { role: 'user', content: 'go', name: 'anna' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
      ],
    },
  },
})
