import { testRule } from '../testing/index.ts'
import { serverToolResultOrphan } from './server-tool-result-orphan.ts'

testRule(serverToolResultOrphan, {
  dialects: ['anthropic-messages'],
  valid: {
    'both halves': `
      user: search
      assistant: server s web_search | served s a page | found`,
    'a tool that still runs': `
      user: search
      assistant: server s web_search`,
    'a half in the last answer, whatever follows it': `
      user: search
      assistant: server s web_search
      user: well?`,
    'the result in the answer that went on': `
      user: search
      assistant: server s web_search
      assistant: served s a page | found`,
  },
  invalid: {
    'a result whose call was filtered out': {
      before: `
        user: search
        assistant: served s a page | found
        user: thanks`,
      finds: ['result s'],
      after: `
        user: search
        assistant: found
        user: thanks`,
    },
    'a call without its result, long ago, is only reported': {
      before: `
        user: search
        assistant: server s web_search | found
        user: thanks
        assistant: welcome`,
      finds: ['call s'],
    },
    'and taken out in the strict mode': {
      before: `
        user: search
        assistant: server s web_search | found
        user: thanks
        assistant: welcome`,
      options: { strict: true },
      finds: ['call s'],
      after: `
        user: search
        assistant: found
        user: thanks
        assistant: welcome`,
    },
  },
})
