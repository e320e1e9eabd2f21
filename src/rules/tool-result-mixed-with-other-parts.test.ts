import { testRule } from '../testing/index.ts'
import { roleOrder } from './role-order.ts'
import { textBlank } from './text-blank.ts'
import { toolResultMissing } from './tool-result-missing.ts'
import { toolResultMixedWithOtherParts } from './tool-result-mixed-with-other-parts.ts'

const lost =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'

testRule(toolResultMixedWithOtherParts, {
  dialects: ['gemini', 'bedrock-converse', 'anthropic-messages'],
  valid: {
    'results alone': `
      user: weather?
      assistant: call a weather
      tool: result a sunny
      user: thanks`,
  },
  invalid: {
    'text and an image after a result': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny | thanks | image`,
      finds: ['mixed 2'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: thanks | image`,
    },
    'text beside a result, after a rejection': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny | thanks`,
      options: { rejectedBy: ['tool-result-mixed-with-other-parts'] },
      finds: ['mixed 1'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: thanks`,
    },
  },
})

testRule(toolResultMixedWithOtherParts, {
  constraints: {
    'role-order': { evidence: 'documented', merge: ['user', 'assistant'], bridge: true },
    'text-blank': { evidence: 'documented' },
    'tool-result-missing': { evidence: 'documented' },
  },
  with: [roleOrder, textBlank, toolResultMissing],
  dialects: ['bedrock-converse'],
  valid: {},
  invalid: {
    'a word between the two, a blank left out, and a result that was missing': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        tool: result a sunny | blank | thanks`,
      finds: ['mixed 1'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        tool: result a sunny | failed b ${lost}
        assistant: Understood.
        user: thanks`,
    },
  },
})
