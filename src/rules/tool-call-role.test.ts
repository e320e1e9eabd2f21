import { testRule } from '../testing/index.ts'
import { toolCallRole } from './tool-call-role.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }
const go = { role: 'user', content: 'go' }
const called = { role: 'assistant', content: null, tool_calls: [call] }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'ok' }
const other = { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } }
const use = { type: 'tool_use', id: 'a', name: 'run', input: {} }
const text = (words: string) => ({ type: 'text', text: words })

testRule(toolCallRole, {
  valid: {
    'calls of the assistant': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'an empty list of calls on a result': {
      before: [go, called, { ...result, tool_calls: [] }],
      dialect: 'openai-chat',
    },
    'no list of calls on a result': {
      before: [go, called, { ...result, tool_calls: null }],
      dialect: 'openai-chat',
    },
  },
  invalid: {
    'a call of the user among texts': {
      before: [{ role: 'user', content: [text('before'), use, text('after')] }],
      dialect: 'anthropic-messages',
      finds: ['caller'],
      after: [
        { role: 'user', content: [text('before')] },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [text('after')] },
      ],
    },
    'two calls of the user': {
      before: [{ role: 'user', content: [use, text('between'), { ...use, id: 'b' }] }],
      dialect: 'anthropic-messages',
      finds: ['caller', 'caller'],
      after: [
        { role: 'assistant', content: [use, { ...use, id: 'b' }] },
        { role: 'user', content: [text('between')] },
      ],
    },
    'a call of the user, Gemini': {
      before: [{ role: 'user', parts: [{ text: 'go' }, { functionCall: { name: 'run', args: {} } }] }],
      dialect: 'gemini',
      finds: ['caller'],
      after: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
      ],
    },
    'a call of the user, Bedrock': {
      before: [{ role: 'user', content: [{ text: 'go' }, { toolUse: { toolUseId: 'a', name: 'run', input: {} } }] }],
      dialect: 'bedrock-converse',
      finds: ['caller'],
      after: [
        { role: 'user', content: [{ text: 'go' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'run', input: {} } }] },
      ],
    },
    'a list of calls in a message of the user': {
      before: [{ ...go, tool_calls: [call] }],
      dialect: 'openai-chat',
      finds: ['caller'],
      after: [go, { role: 'assistant', content: '', tool_calls: [call] }],
    },
    'the message of the assistant under the role of a tool': {
      before: [go, { ...called, role: 'tool' }, result],
      dialect: 'openai-chat',
      finds: ['misnamed'],
      after: [go, called, result],
    },
    'calls on a result': {
      before: [go, called, { ...result, tool_calls: [other] }],
      dialect: 'openai-chat',
      finds: ['caller'],
      after: [
        go,
        called,
        result,
        { role: 'user', content: `[Calls that were stored on a tool result]\n${JSON.stringify([other])}` },
      ],
    },
    'something else than a list, on a result that answers nothing': {
      before: [go, { role: 'tool', content: 'ok', tool_calls: 'none' }],
      dialect: 'openai-chat',
      finds: ['caller'],
      after: [
        go,
        { role: 'tool', content: 'ok' },
        { role: 'user', content: '[Calls that were stored on a tool result]\n"none"' },
      ],
    },
    'only a warning where it is assumed': {
      before: [{ ...go, tool_calls: [call] }],
      dialect: 'openai-chat',
      constraint: { assumed: ['caller'] },
      finds: ['caller'],
    },
    'a wrong role, where only the other fault is assumed': {
      before: [go, { ...called, role: 'tool' }, result],
      dialect: 'openai-chat',
      constraint: { assumed: ['caller'] },
      finds: ['misnamed'],
      after: [go, called, result],
    },
    'assumed, and rejected': {
      before: [{ ...go, tool_calls: [call] }],
      dialect: 'openai-chat',
      constraint: { assumed: ['caller'] },
      options: { rejectedBy: ['tool-call-role'] },
      finds: ['caller'],
      after: [go, { role: 'assistant', content: '', tool_calls: [call] }],
    },
  },
})
