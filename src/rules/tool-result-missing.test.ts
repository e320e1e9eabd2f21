import { testRule } from '../testing/index.ts'
import { toolResultMissing } from './tool-result-missing.ts'

const LOST =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'

testRule(toolResultMissing, {
  valid: {
    'a call with its result': `
      user: weather?
      assistant: call a weather
      tool: result a sunny`,
    'a call that may still be answered': {
      before: `
        user: weather?
        assistant: call a weather`,
      options: { inProgress: true },
    },
    'half a batch that may still be answered': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        tool: result a sunny`,
      options: { inProgress: true },
    },
    'a tool the provider runs': `
      user: search
      assistant: server s web_search | found nothing yet`,
  },
  invalid: {
    'two calls left open while the talk went on': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        user: well?`,
      finds: ['missing a weather', 'missing b news'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        tool: failed a ${LOST} | failed b ${LOST}
        user: well?`,
      afterIn: {
        'anthropic-messages': `
          user: weather?
          assistant: call a weather | call b news
          user: failed a ${LOST} | failed b ${LOST}
          user: well?`,
      },
    },
    'a call at the end of what is sent': {
      before: `
        user: weather?
        assistant: I look | call a weather`,
      finds: ['missing a weather'],
      after: `
        user: weather?
        assistant: I look | call a weather
        tool: failed a ${LOST}`,
    },
    'half a batch: what was answered stays': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        tool: result b none
        assistant: no news`,
      finds: ['missing a weather'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        tool: failed a ${LOST} | result b none
        assistant: no news`,
      afterIn: {
        'openai-responses': `
          user: weather?
          assistant: call a weather | call b news
          tool: failed a ${LOST} | result b none
          assistant: no news`,
      },
    },
    'with the cause the caller knows': {
      before: `
        user: weather?
        assistant: call a weather
        user: stop`,
      options: { cause: 'aborted-before-start' },
      finds: ['missing a weather'],
      after: `
        user: weather?
        assistant: call a weather
        tool: failed a This tool call was aborted before it started. It had no effect.
        user: stop`,
    },
    'a call taken out because the policy says so': {
      before: `
        user: weather?
        assistant: I look | call a weather
        user: well?`,
      options: { policy: { unanswered: 'omit' } },
      finds: ['missing a weather'],
      after: `
        user: weather?
        assistant: I look
        user: well?`,
    },
  },
})
