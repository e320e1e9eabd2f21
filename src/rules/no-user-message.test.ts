import { testRule } from '../testing/index.ts'
import { noUserMessage } from './no-user-message.ts'

testRule(noUserMessage, {
  dialects: ['openai-chat'],
  valid: {
    'a user who speaks late': `
      assistant: hello
      user: hi`,
  },
  invalid: {
    'a system message alone': {
      before: `system: be short`,
      finds: ['none'],
      after: `
        system: be short
        user: (The conversation begins here.)`,
    },
    'a loop without a prompt': {
      before: `
        system: be short
        assistant: call a weather
        tool: result a sunny`,
      finds: ['none'],
      after: `
        system: be short
        user: (The conversation begins here.)
        assistant: call a weather
        tool: result a sunny`,
    },
    'only the assistant': {
      before: `assistant: hello`,
      finds: ['none'],
      after: `
        user: (The conversation begins here.)
        assistant: hello`,
    },
  },
})
