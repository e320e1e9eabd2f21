import { testRule } from '../testing/index.ts'
import { thinkingBlockModified } from './thinking-block-modified.ts'

const refused = { rejectedBy: ['thinking-block-modified'] }

testRule(thinkingBlockModified, {
  dialects: ['anthropic-messages', 'bedrock-converse'],
  valid: {
    'thinking that was not refused': `
      user: hi
      assistant: think! hm | hello`,
    'a refusal when only earlier turns think': {
      before: `
        user: hi
        assistant: think! one | hello
        user: and?
        assistant: yes`,
      options: refused,
    },
  },
  invalid: {
    'a refusal: the latest turn loses all, the ones before keep theirs': {
      before: `
        user: hi
        assistant: think! one | hello
        user: weather?
        assistant: think! two | call a weather
        tool: result a sunny
        assistant: think! three | sunny
        user: thanks`,
      options: refused,
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
