import { testRule } from '../testing/index.ts'
import { textAfterToolCall } from './text-after-tool-call.ts'

const go = { role: 'user', content: 'go' }
const call = { type: 'tool_use', id: 'a', name: 'run', input: {} }
const so = { type: 'text', text: 'and so' }
const think = { type: 'thinking', thinking: 'hm', signature: 'EqQBc2ln' }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] }
const message = (...content: unknown[]) => [go, { role: 'assistant', content }, result]
const dialect = 'anthropic-messages'

testRule(textAfterToolCall, {
  dialects: [dialect],
  constraint: { evidence: 'single-report' },
  valid: { 'the text first': { before: message(so, call), dialect } },
  invalid: {
    'left alone by default': { before: message(call, so), dialect, finds: ['after a'] },
    'moved when strict': {
      before: message(call, so),
      dialect,
      options: { strict: true },
      finds: ['after a'],
      after: message(so, call),
    },
    'not moved around reasoning': {
      before: message(think, call, so),
      dialect,
      options: { strict: true },
      finds: ['after a'],
    },
    'moved after a rejection': {
      before: message(think, call, so),
      dialect,
      options: { rejectedBy: ['text-after-tool-call'] },
      finds: ['after a'],
      after: message(think, so, call),
    },
  },
})
