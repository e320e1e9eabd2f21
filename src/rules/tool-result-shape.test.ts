import { describe, expect, it } from 'vitest'
import { lint, repair } from '../../test/untyped-api.ts'
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

describe('blocks of the own dialect that a result cannot hold', () => {
  const inner = { type: 'tool_result', tool_use_id: 'b', content: 'done' }
  it.each([
    ['a result', inner],
    ['a call', { type: 'tool_use', id: 'b', name: 'run', input: {} }],
    ['a thought', { type: 'thinking', thinking: 'so', signature: 's' }],
  ])('%s', (_name, block) => {
    const text = { type: 'text', text: 'kept' }
    const { value, findings } = repair<unknown>(answered([text, block]), { provider: 'anthropic' })
    expect(findings.map(({ rule }) => rule)).toEqual(['tool-result-shape'])
    expect(value).toEqual(answered([text, { type: 'text', text: JSON.stringify(block) }]))
  })

  it.each([
    ['a type that no API has yet', 'anthropic', { type: 'hologram', say: 'hi' }],
    ['a state of a browser', 'anthropic', { type: 'browser_state', tabs: [] }],
  ] as const)('not %s', (_name, provider, block) => {
    expect(lint(answered([block]), { provider })).toEqual([])
  })

  it('an item of the Responses API', () => {
    const output = [{ type: 'function_call', call_id: 'b', name: 'run', arguments: '{}' }]
    const history = [...called, { type: 'function_call_output', call_id: 'a', output }]
    expect(lint(history, { provider: 'openai-responses' }).map(({ rule }) => rule)).toEqual(['tool-result-shape'])
  })
})
