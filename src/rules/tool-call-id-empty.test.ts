import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { toolCallIdEmpty } from './tool-call-id-empty.ts'

// Named by the place of the call.
const one = hash('1/tool_calls/0')
const two = hash('1/tool_calls/1')

testRule(toolCallIdEmpty, {
  dialects: ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse'],
  valid: {
    'calls with ids': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'the legacy call, which has none': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{}' } },
        { role: 'function', name: 'run', content: 'ok' },
      ],
      dialect: 'openai-chat',
    },
  },
  invalid: {
    'neither has an id: paired by place': {
      before: `
        user: go
        assistant: call "" run | call "" look
        tool: result "" one | result "" two`,
      dialects: ['openai-chat'],
      finds: ['call run', 'call look'],
      after: `
        user: go
        assistant: call ${one} run | call ${two} look
        tool: result ${one} one | result ${two} two`,
    },
    'the result alone has none': {
      before: `
        user: go
        assistant: call a run
        tool: result - ok`,
      constraint: { half: true },
      finds: ['result a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
  },
})
