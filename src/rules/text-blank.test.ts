import { testRule } from '../testing/index.ts'
import { textBlank } from './text-blank.ts'

testRule(textBlank, {
  dialects: ['anthropic-messages', 'bedrock-converse', 'gemini'],
  valid: {
    'text that begins with white space': `
      user: \\n\\n hello
      assistant: hi`,
    'text in another script': `
      user: 你好
      assistant: 好`,
    'white space where only nothing is rejected': {
      before: `
        user: hello | blank
        assistant: hi`,
      constraint: { empty: true },
    },
  },
  invalid: {
    'white space before a call': {
      before: `
        user: go
        assistant: text \\n\\n | call a run
        tool: result a ok`,
      finds: ['blank'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
    'an empty text beside another': {
      before: `
        user: text | hello
        assistant: hi`,
      finds: ['blank'],
      after: `
        user: hello
        assistant: hi`,
    },
    'all that the only prompt says': {
      before: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }],
      dialect: 'anthropic-messages',
      finds: ['blank'],
      after: [{ role: 'user', content: '(empty message)' }],
    },
  },
})
