import { testRule } from '../testing/index.ts'
import { textBlank } from './text-blank.ts'
import { thinkingBlockMissingBeforeToolUse } from './thinking-block-missing-before-tool-use.ts'
import { thinkingBoundToOtherPrefix } from './thinking-bound-to-other-prefix.ts'

const loop = `
  user: weather?
  assistant: I look | call a weather
  tool: result a sunny`
const enabled = { thinking: { type: 'enabled', budget_tokens: 1024 } }

testRule(thinkingBlockMissingBeforeToolUse, {
  dialects: ['anthropic-messages'],
  valid: {
    'a loop that begins with thinking': {
      before: `
        user: weather?
        assistant: think! hm | call a weather
        tool: result a sunny`,
      body: enabled,
    },
    'redacted thinking': {
      before: [
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'x' },
            { type: 'tool_use', id: 'a', name: 'weather', input: {} },
          ],
        },
      ],
      dialect: 'anthropic-messages',
      body: enabled,
    },
    'a last turn without calls': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: sunny
        user: thanks`,
      body: enabled,
    },
    'adaptive thinking, which may leave a turn without': { before: loop, body: { thinking: { type: 'adaptive' } } },
    'a history alone, of which this is not known': loop,
  },
  invalid: {
    'thinking switched on in the middle of a loop': {
      before: loop,
      body: enabled,
      finds: ['missing'],
      afterBody: { thinking: { type: 'disabled' } },
    },
    'a turn in two messages': {
      before: `
        user: weather?
        assistant: I look
        assistant: think! hm | call a weather
        tool: result a sunny`,
      body: enabled,
      finds: ['missing'],
      afterBody: { thinking: { type: 'disabled' } },
    },
    'a setting deeper in the request': {
      before: loop,
      constraint: { setting: ['additionalModelRequestFields', 'thinking'] },
      body: { additionalModelRequestFields: { ...enabled, top_k: 5 } },
      finds: ['missing'],
      afterBody: { additionalModelRequestFields: { thinking: { type: 'disabled' }, top_k: 5 } },
    },
  },
})

testRule(thinkingBlockMissingBeforeToolUse, {
  constraints: { 'text-blank': { evidence: 'many-reports' } },
  with: [textBlank],
  dialects: ['anthropic-messages'],
  valid: {
    'a blank before the thinking, which goes': {
      before: `
        user: weather?
        assistant: blank | think! hm | call a weather
        tool: result a sunny`,
      body: enabled,
    },
  },
  invalid: {},
})

// This rule is asked before the one that takes the thinking away.
testRule(thinkingBlockMissingBeforeToolUse, {
  constraints: {
    'text-blank': { evidence: 'many-reports' },
    'thinking-bound-to-other-prefix': { evidence: 'documented' },
  },
  with: [textBlank, thinkingBoundToOtherPrefix],
  dialects: ['anthropic-messages'],
  valid: {},
  invalid: {
    'a repair that costs the thinking of the loop': {
      before: `
        user: weather? | blank
        assistant: think! hm | call a weather
        tool: result a sunny`,
      body: enabled,
      finds: ['missing'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny`,
      afterBody: { thinking: { type: 'disabled' } },
    },
  },
})
