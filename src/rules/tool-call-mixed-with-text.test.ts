import { testRule } from '../testing/index.ts'
import { toolCallMixedWithText } from './tool-call-mixed-with-text.ts'

testRule(toolCallMixedWithText, {
  dialects: ['bedrock-converse'],
  valid: {
    'a call alone': `
      user: go
      assistant: call a run
      tool: result a ok
      assistant: done`,
  },
  invalid: {
    'text beside a call': {
      before: `
        user: go
        assistant: I look | call a run
        tool: result a ok`,
      finds: ['mixed'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
  },
})
