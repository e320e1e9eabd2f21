import { testRule } from '../testing/index.ts'
import { thinkingSignatureMissing } from './thinking-signature-missing.ts'

testRule(thinkingSignatureMissing, {
  dialects: ['anthropic-messages', 'bedrock-converse'],
  valid: {
    'signed thinking': `
      user: hi
      assistant: think! hm | hello`,
    'redacted thinking': {
      before: [{ role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] }],
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'thinking of another provider': {
      before: `
        user: hi
        assistant: think hm | hello
        user: and?
        assistant: think! well | yes`,
      finds: ['unsigned'],
      after: `
        user: hi
        assistant: hello
        user: and?
        assistant: think! well | yes`,
    },
    'a turn of nothing else': {
      before: `
        user: hi
        assistant: think hm
        user: and?`,
      finds: ['unsigned'],
      after: `
        user: hi
        user: and?`,
    },
  },
})
