import { testRule } from '../testing/index.ts'
import { contentShape } from './content-shape.ts'

testRule(contentShape, {
  dialects: ['openai-chat', 'anthropic-messages', 'gemini', 'bedrock-converse', 'openai-responses'],
  valid: {
    'a reference that leaves its type out': {
      before: [{ id: 'msg_1' }, { id: 'rs_1', type: null }, { role: 'user', content: 'hello' }],
      dialect: 'openai-responses',
      constraint: { typed: true, item: true },
    },
    'pieces of what a shell printed': {
      before: [
        { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
        {
          type: 'shell_call_output',
          call_id: 'a',
          output: [{ stdout: 'x', stderr: '', outcome: { type: 'timeout' } }],
        },
      ],
      dialect: 'openai-responses',
      constraint: { typed: true, chunks: ['shell_call_output'] },
    },
    'text and lists': `
      user: look | image
      assistant: call a run
      tool: result a ok`,
    'one part in the place of a list': {
      before: [{ role: 'user', parts: { text: 'hello' } }],
      dialect: 'gemini',
    },
  },
  invalid: {
    'pieces of a result that have no type': {
      before: [
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: [{ text: 'seen' }] },
      ],
      dialect: 'openai-responses',
      constraint: { typed: true, chunks: ['shell_call_output'] },
      finds: ['block'],
      after: [
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'seen' }] },
      ],
    },
    'an object in the place of a list': {
      before: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
      dialect: 'openai-chat',
      finds: ['content'],
      after: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    },
    'a number': {
      before: [{ role: 'user', content: 42 }],
      dialect: 'openai-chat',
      finds: ['content'],
      after: [{ role: 'user', content: '42' }],
    },
    'texts and nothing among the blocks': {
      before: [{ role: 'user', content: ['hello', null, { type: 'text', text: 'you' }] }],
      dialect: 'anthropic-messages',
      finds: ['block', 'block'],
      after: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hello' },
            { type: 'text', text: 'you' },
          ],
        },
      ],
    },
    'a text in the place of a message': {
      before: ['hello', null, { role: 'user', content: 'you' }],
      dialect: 'anthropic-messages',
      finds: ['message', 'message'],
      after: [
        { role: 'user', content: 'hello' },
        { role: 'user', content: 'you' },
      ],
    },
    'a block of an unknown type, with nothing else, in a result': {
      before: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'brand_new' }] },
      ],
      dialect: 'openai-chat',
      constraint: { typed: true, only: ['text'] },
      finds: ['block'],
      after: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: '{"type":"brand_new"}' }] },
      ],
    },
    'a part of a type that is rejected': {
      before: [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://x.test/v' } }] }],
      dialect: 'openai-chat',
      constraint: { only: ['text'] },
      finds: ['type video_url'],
      after: [
        {
          role: 'user',
          content: [{ type: 'text', text: '{"type":"video_url","video_url":{"url":"https://x.test/v"}}' }],
        },
      ],
    },
  },
})
