import { testRule } from '../testing/index.ts'
import { toolCallTurnOrder } from './tool-call-turn-order.ts'

testRule(toolCallTurnOrder, {
  dialects: ['gemini'],
  valid: {
    'a call after the user': `
      user: weather?
      assistant: call a weather
      tool: result a sunny`,
    'a call after a response': `
      user: weather?
      assistant: call a weather
      tool: result a sunny
      assistant: call b news
      tool: result b none`,
    'a parallel turn stored as two': `
      user: weather?
      assistant: call a weather
      assistant: call b news
      tool: result a sunny | result b none`,
    'words after words': `
      user: hi
      assistant: hello
      assistant: there`,
  },
  invalid: {
    'a call after words of the model': {
      before: `
        user: weather?
        assistant: I look
        assistant: call a weather
        tool: result a sunny`,
      finds: ['apart'],
      after: `
        user: weather?
        assistant: I look | call a weather
        tool: result a sunny`,
    },
    'a history that begins with a call': {
      before: `
        assistant: call a weather
        tool: result a sunny`,
      finds: ['first'],
      after: `
        user: (The conversation begins here.)
        assistant: call a weather
        tool: result a sunny`,
    },
    'words first, then a call': {
      before: `
        assistant: hello
        assistant: call a weather
        tool: result a sunny`,
      finds: ['apart', 'first'],
      after: `
        user: (The conversation begins here.)
        assistant: hello | call a weather
        tool: result a sunny`,
    },
  },
})
