import { testRule } from '../testing/index.ts'
import { contentEmpty } from './content-empty.ts'

testRule(contentEmpty, {
  valid: {
    'an empty text that is there for its signature': {
      before: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: '', thoughtSignature: 'AA==' }] },
        { role: 'user', parts: [{ text: 'hi' }] },
      ],
      dialect: 'gemini',
    },
    'messages that say something': `
      user: hello
      assistant: hi`,
    'a call and no words': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'an empty assistant message, where only the user may not': {
      before: `
        user: hello
        assistant: empty
        user: well?`,
      constraint: { roles: ['user'] },
    },
    'a refusal': {
      before: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: '', refusal: 'No.' },
      ],
      dialect: 'openai-chat',
    },
  },
  invalid: {
    'a turn the model ended without a word': {
      before: `
        user: hello
        assistant: empty
        user: well?`,
      finds: ['empty'],
      after: `
        user: hello
        user: well?`,
    },
    'a prompt that is needed in its place': {
      before: `
        user: hello
        assistant: hi
        user: empty`,
      finds: ['empty'],
      after: `
        user: hello
        assistant: hi
        user: (empty message)`,
    },
    'an empty list beside calls': {
      before: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [],
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
      dialect: 'openai-chat',
      constraint: { list: true },
      finds: ['list'],
      after: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
    },
    'a part with only a mark': {
      before: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'model', parts: [{ thought: true }, { text: 'hi' }] },
        { role: 'user', parts: [{ text: 'ok' }] },
      ],
      dialect: 'gemini',
      finds: ['part'],
      after: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'model', parts: [{ text: 'hi' }] },
        { role: 'user', parts: [{ text: 'ok' }] },
      ],
    },
    'an empty text that was rejected where no constraint speaks of it': {
      before: [{ role: 'user', parts: [{ text: '' }, { text: 'hi' }] }],
      dialect: 'gemini',
      options: { rejectedBy: ['content-empty'] },
      finds: ['part'],
      after: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
})
