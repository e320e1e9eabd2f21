import { testRule } from '../testing/index.ts'
import { trailingWhitespace } from './trailing-whitespace.ts'

testRule(trailingWhitespace, {
  valid: {
    'a prefill that ends in a letter': `
      user: hi
      assistant: hello`,
    'white space in an earlier answer': `
      user: hi
      assistant: hello\\n
      user: and?`,
    'an answer that is not sent yet': {
      before: `
        user: hi
        assistant: hello\\n`,
      options: { inProgress: true },
    },
    'words before an open call': {
      before: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'weather', input: {} },
            { type: 'text', text: 'so ' },
          ],
        },
      ],
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'a prefill that ends in a line break': {
      before: `
        user: hi\\n
        assistant: one\\n | two \\n`,
      finds: ['trailing'],
      dialects: ['anthropic-messages', 'bedrock-converse'],
      after: `
        user: hi\\n
        assistant: one\\n | two`,
    },
    'a blank last block': {
      before: `
        user: hi
        assistant: hello | blank`,
      finds: ['trailing'],
      dialects: ['anthropic-messages', 'bedrock-converse'],
      after: `
        user: hi
        assistant: hello`,
    },
    'a blank last block after one that ends in white space': {
      before: `
        user: hi
        assistant: hello\\n | blank`,
      finds: ['trailing'],
      dialects: ['anthropic-messages', 'bedrock-converse'],
      after: `
        user: hi
        assistant: hello`,
    },
    'a string': {
      before: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello ' },
      ],
      dialect: 'anthropic-messages',
      finds: ['trailing'],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
    },
  },
})
