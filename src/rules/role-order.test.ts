import { testRule } from '../testing/index.ts'
import { roleOrder } from './role-order.ts'
import { toolResultMixedWithOtherParts } from './tool-result-mixed-with-other-parts.ts'

const BLOCKS = ['anthropic-messages', 'bedrock-converse']

testRule(roleOrder, {
  constraint: { merge: ['user', 'assistant'] },
  valid: {
    'turns that alternate': `
      user: hi
      assistant: hello
      user: and?`,
    'the user after a result, where nothing forbids it': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: thanks`,
      dialects: ['openai-chat'],
    },
    'an answer between result and user': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: sunny
        user: thanks`,
      constraint: { merge: [], bridge: true },
    },
  },
  invalid: {
    'two user turns': {
      before: `
        user: hi
        user: there
        assistant: hello`,
      finds: ['merge'],
      after: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'text', text: 'there' },
          ],
        },
        { role: 'assistant', content: 'hello' },
      ],
      dialect: 'anthropic-messages',
    },
    'three user turns, of which the first is not dropped': {
      before: `
        user: one
        user: two
        user: three`,
      finds: ['merge', 'merge'],
      after: [{ role: 'user', content: 'one\n\ntwo\n\nthree' }],
      dialect: 'openai-chat',
    },
    'two assistant turns of which one calls': {
      before: `
        user: weather?
        assistant: I look
        assistant: call a weather
        tool: result a sunny`,
      finds: ['merge'],
      after: `
        user: weather?
        assistant: I look | call a weather
        tool: result a sunny`,
      dialects: ['openai-chat', 'anthropic-messages', 'gemini', 'bedrock-converse'],
    },
    'the user right after a tool': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: thanks`,
      constraint: { merge: [], bridge: true },
      dialects: ['openai-chat'],
      finds: ['bridge'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: Understood.
        user: thanks`,
    },
    'results and words of the user in two user turns, where both constraints hold': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: thanks
        user: and?`,
      constraint: { bridge: true },
      dialects: BLOCKS,
      finds: ['bridge', 'merge'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: Understood.
        user: thanks | and?`,
    },
    'roles that were rejected, with no constraint known': {
      before: `
        user: hi
        user: there`,
      constraint: { merge: undefined },
      options: { rejectedBy: ['role-order'] },
      dialects: BLOCKS,
      finds: ['merge'],
      after: `user: hi | there`,
    },
  },
})

// What one rule splits, the other must not merge again.
testRule(roleOrder, {
  constraint: { merge: ['user', 'assistant'], bridge: true },
  constraints: { 'tool-result-mixed-with-other-parts': { evidence: 'few-reports', own: true } },
  with: [toolResultMixedWithOtherParts],
  dialects: ['bedrock-converse'],
  valid: {},
  invalid: {
    'text beside a result, and more of it after': {
      before: `
        user: weather?
        assistant: call a weather
        tool: result a sunny | thanks
        user: and?`,
      finds: ['bridge', 'bridge', 'merge'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        assistant: Understood.
        user: thanks | and?`,
    },
  },
})
