import { testRule } from '../testing/index.ts'
import { toolArgumentsNotJson } from './tool-arguments-not-json.ts'

const chat = (args: unknown) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'run', ...(args === undefined ? {} : { arguments: args }) } },
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: 'ok' },
]
const repaired = (before: unknown, after: string, find = 'broken a') => ({
  before: chat(before),
  dialect: 'openai-chat',
  finds: [find],
  after: chat(after),
})

testRule(toolArgumentsNotJson, {
  dialects: ['openai-chat'],
  valid: {
    'an object': `
      user: go
      assistant: call a run {"x":[1,{"y":null}]}
      tool: result a ok`,
    'a scalar, which is JSON': { before: chat('3'), dialect: 'openai-chat' },
    'nothing, where that is accepted': { before: chat(''), dialect: 'openai-chat', constraint: { emptyOk: true } },
    'free text of a custom tool': {
      before: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
      dialect: 'openai-chat',
    },
    'what looks like an object, judged by its braces': {
      before: chat('{"x": oops}'),
      dialect: 'openai-chat',
      constraint: { bracesOnly: true },
    },
  },
  invalid: {
    'arguments that a stream cut off': repaired('{"path":"src/ma', '{"_raw":"{\\"path\\":\\"src/ma"}'),
    'arguments fenced as code': repaired('```json\n{"x":1}\n```', '{"x":1}'),
    'no arguments': repaired('', '{}', 'empty a'),
    'no key for arguments: only a warning': (({ after: _after, ...one }) => one)(repaired(undefined, '{}', 'empty a')),
    'cut off, judged by its braces': { ...repaired('{"x":', '{"_raw":"{\\"x\\":"}'), constraint: { bracesOnly: true } },
  },
})
