import { testRule } from '../../testing/index.ts'
import { thinkingBlockModified } from './thinking-block-modified.ts'

const rejected = { rejectedBy: ['thinking-block-modified'] }

testRule(thinkingBlockModified, {
  dialects: ['anthropic-messages', 'bedrock-converse'],
  valid: {
    'thinking that was not rejected': `
      user: hi
      assistant: think! hm | hello`,
    'a rejection when only earlier turns think': {
      before: `
        user: hi
        assistant: think! one | hello
        user: and?
        assistant: yes`,
      options: rejected,
    },
  },
  invalid: {
    'a rejection: the latest turn loses all, the ones before keep theirs': {
      before: `
        user: hi
        assistant: think! one | hello
        user: weather?
        assistant: think! two | call a weather
        tool: result a sunny
        assistant: think! three | sunny
        user: thanks`,
      options: rejected,
      finds: ['modified 2'],
      after: `
        user: hi
        assistant: think! one | hello
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: sunny
        user: thanks`,
    },
  },
})
