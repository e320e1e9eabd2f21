import { testRule } from '../testing/index.ts'
import { toolResultShape } from './tool-result-shape.ts'

const asked = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
]
const answered = (content: unknown) => [
  ...asked,
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
]
const anthropic = {
  dialect: 'anthropic-messages',
  constraint: { typed: true, extra: { text: ['annotations'] } },
} as const

const called = [
  { role: 'user', content: 'go' },
  { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
]
const responses = { dialect: 'openai-responses', constraint: { required: true } } as const

testRule(toolResultShape, {
  dialects: ['anthropic-messages', 'openai-responses'],
  valid: {
    'a text': `
      user: go
      assistant: call a run
      tool: result a done`,
    'an image': { ...anthropic, before: answered([{ type: 'image', source: { type: 'url', url: 'https://a.b/c' } }]) },
  },
  invalid: {
    'an object': {
      ...anthropic,
      before: answered({ ok: true }),
      finds: ['kind a'],
      after: answered('{"ok":true}'),
    },
    'a block without type': {
      ...anthropic,
      before: answered([{ text: 'done' }, { type: 'text' }]),
      finds: ['block a'],
      after: answered([{ type: 'text', text: 'done' }]),
    },
    'a field that is rejected': {
      ...anthropic,
      before: answered([{ type: 'text', text: 'done', annotations: null }]),
      finds: ['block a'],
      after: answered([{ type: 'text', text: 'done' }]),
    },
    'no output': {
      ...responses,
      before: [...called, { type: 'function_call_output', call_id: 'a' }],
      finds: ['none a'],
      after: [...called, { type: 'function_call_output', call_id: 'a', output: '' }],
    },
  },
})
