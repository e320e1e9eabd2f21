import { testRule } from '../testing/index.ts'
import { reasoningContentForbidden } from './reasoning-content-forbidden.ts'

const user = { role: 'user', content: 'hi' }

testRule(reasoningContentForbidden, {
  constraint: { keys: ['reasoning_content', 'reasoning'] },
  dialects: ['openai-chat'],
  valid: {
    'no reasoning': `
      user: hi
      assistant: hello`,
    'a key that is not named': {
      before: [user, { role: 'assistant', content: 'hello', reasoning_details: [] }],
      dialect: 'openai-chat',
    },
  },
  invalid: {
    'reasoning of another provider': {
      before: `
        user: hi
        assistant: think hm | hello`,
      finds: ['forbidden reasoning_content'],
      after: `
        user: hi
        assistant: hello`,
    },
    'two keys, one of them null': {
      before: [user, { role: 'assistant', content: 'hello', reasoning: 'hm', reasoning_content: null }],
      dialect: 'openai-chat',
      finds: ['forbidden reasoning_content, reasoning'],
      after: [user, { role: 'assistant', content: 'hello' }],
    },
    'a turn of nothing but reasoning': {
      before: [user, { role: 'assistant', content: '', reasoning_content: 'hm' }, user],
      dialect: 'openai-chat',
      finds: ['forbidden reasoning_content'],
      after: [user, user],
    },
  },
})
