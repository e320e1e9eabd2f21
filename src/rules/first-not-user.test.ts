import { testRule } from '../testing/index.ts'
import { firstNotUser } from './first-not-user.ts'

testRule(firstNotUser, {
  valid: {
    'the user first': `
      user: hi
      assistant: hello`,
    'a system message first': {
      before: `
        system: be short
        user: hi`,
      dialects: ['openai-chat', 'anthropic-messages'],
    },
  },
  invalid: {
    'a greeting by the assistant': {
      before: `
        assistant: hello
        user: hi`,
      finds: ['first'],
      after: `
        user: (The conversation begins here.)
        assistant: hello
        user: hi`,
    },
    'a cut that left a call first': {
      before: `
        assistant: call a weather
        tool: result a sunny
        user: thanks`,
      finds: ['first'],
      after: `
        user: (The conversation begins here.)
        assistant: call a weather
        tool: result a sunny
        user: thanks`,
    },
    'a system message, then the assistant': {
      before: `
        system: be short
        assistant: hello`,
      dialects: ['openai-chat'],
      finds: ['first'],
      after: `
        system: be short
        user: (The conversation begins here.)
        assistant: hello`,
    },
  },
})
