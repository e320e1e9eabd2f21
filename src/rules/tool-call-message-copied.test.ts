import { testRule } from '../testing/index.ts'
import { toolCallMessageCopied } from './tool-call-message-copied.ts'

testRule(toolCallMessageCopied, {
  constraint: { evidence: 'inferred' },
  dialects: ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini', 'bedrock-converse'],
  valid: {
    'the same id with other arguments': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: { x: 1 } }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: { x: 2 } }] },
      ],
      dialect: 'anthropic-messages',
    },
    'the same round twice': `
      user: go
      assistant: call a run
      tool: result a ok
      assistant: call a run
      tool: result a ok`,
    'two calls of one id, each with its result': `
      user: go
      assistant: call a run
      assistant: call a run
      tool: result a one
      tool: result a two`,
  },
  invalid: {
    'one answer stored twice': {
      before: `
        user: go
        assistant: call a run
        assistant: call a run
        tool: result a ok`,
      finds: ['copied a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
  },
})
