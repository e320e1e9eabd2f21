import { testRule } from '../testing/index.ts'
import { toolArgumentsNotObject } from './tool-arguments-not-object.ts'

const blocks = (input: unknown) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'run', ...(input === undefined ? {} : { input }) }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
]
const repaired = (before: unknown, after: unknown, find = 'object a') => ({
  before: blocks(before),
  dialect: 'anthropic-messages',
  finds: [find],
  after: blocks(after),
})

testRule(toolArgumentsNotObject, {
  dialects: ['anthropic-messages'],
  constraint: { as: 'object' },
  valid: {
    'an object': `
      user: go
      assistant: call a run {"x":1}
      tool: result a ok`,
    'an object with an odd key': {
      before: blocks(JSON.parse('{"__proto__":1}')),
      dialect: 'anthropic-messages',
    },
    'no arguments, where that is accepted': {
      before: blocks(undefined),
      dialect: 'anthropic-messages',
      constraint: { emptyOk: true },
    },
  },
  invalid: {
    'the text of an object': repaired('{"x":1}', { x: 1 }),
    'the text of the text of an object': repaired(JSON.stringify('{"x":1}'), { x: 1 }),
    'text that is not JSON': repaired('{"x":', { _raw: '{"x":' }),
    'a list': repaired([1], { _raw: [1] }),
    null: repaired(null, {}, 'empty a'),
    nothing: repaired(undefined, {}, 'empty a'),
  },
})

const chat = (args: unknown) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: args } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'ok' },
]

testRule(toolArgumentsNotObject, {
  dialects: ['openai-chat'],
  constraint: { as: 'string' },
  valid: { 'the text of an object': { before: chat(' {"x":1}'), dialect: 'openai-chat' } },
  invalid: {
    'an object that is not written as text': {
      before: chat({ x: 1 }),
      dialect: 'openai-chat',
      finds: ['text a'],
      after: chat('{"x":1}'),
    },
    'the text of a list': {
      before: chat('[1]'),
      dialect: 'openai-chat',
      finds: ['object a'],
      after: chat('{"_raw":"[1]"}'),
    },
    'the text of a text': {
      before: chat('"hello"'),
      dialect: 'openai-chat',
      finds: ['object a'],
      after: chat('{"_raw":"\\"hello\\""}'),
    },
  },
})
