import { testRule } from '../testing/index.ts'
import { cacheControlTooMany } from './cache-control-too-many.ts'
import { lastAssistantPrefill } from './last-assistant-prefill.ts'
import { textBlank } from './text-blank.ts'
import { thinkingBoundToOtherPrefix } from './thinking-bound-to-other-prefix.ts'

const edited = `
  user: hi
  assistant: think! one | hello
  user: and? | blank
  assistant: think! two | yes
  user: so?
  assistant: think! three | no
  user: ok`
const stripped = `
  user: hi
  assistant: think! one | hello
  user: and?
  assistant: yes
  user: so?
  assistant: no
  user: ok`
const drop = { prefix_mismatch_behavior: 'drop_block' }
const mark = { cache_control: { type: 'ephemeral' } }

const dropping = {
  setting: ['thinking'],
  path: ['block_binding', 'prefix_mismatch_behavior'],
  drop: 'drop_block',
  fail: 'error',
}

testRule(thinkingBoundToOtherPrefix, {
  constraints: {
    'text-blank': { evidence: 'many-reports' },
    'last-assistant-prefill': { evidence: 'documented' },
    'cache-control-too-many': { evidence: 'documented', max: 1 },
  },
  with: [textBlank, lastAssistantPrefill, cacheControlTooMany],
  dialects: ['anthropic-messages'],
  valid: {
    'nothing to repair': `
      user: hi
      assistant: think! one | hello
      user: ok`,
    'a repair after all thinking': `
      user: hi
      assistant: think! one | hello
      user: ok | blank`,
    'a turn appended': `
      user: hi
      assistant: think! one | hello`,
    'a cache mark taken away, which no signature covers': {
      before: [
        { role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'one', signature: 's' }] },
        { role: 'user', content: [{ type: 'text', text: 'ok', ...mark }] },
      ],
      dialect: 'anthropic-messages',
    },
    'a request that says what to do already': {
      before: edited,
      constraint: { dropping },
      body: { thinking: { type: 'adaptive', block_binding: drop } },
    },
  },
  invalid: {
    'a repair before two blocks: both go, the one before it stays': {
      before: edited,
      finds: ['bound 2'],
      after: stripped,
    },
    'the same request whole: the provider is asked to drop what does not fit': {
      before: edited,
      constraint: { dropping },
      body: { thinking: { type: 'adaptive', display: 'omitted' } },
      finds: ['bound 2'],
      after: edited.replace(' | blank', ''),
      afterBody: { thinking: { type: 'adaptive', display: 'omitted', block_binding: drop } },
    },
    'a caller who asked to be rejected': {
      before: edited,
      constraint: { dropping },
      body: { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } } },
      finds: ['bound 2'],
      after: edited.replace(' | blank', ''),
    },
    'a model that is not named: said, not done': {
      before: edited,
      constraint: { models: /claude-opus-5-5/ },
      finds: ['bound 2'],
      after: edited.replace(' | blank', ''),
    },
    'a rejection with nothing else to repair': {
      before: `
        user: hi
        assistant: think! one | hello
        user: and?
        assistant: think! two | yes
        user: ok`,
      options: { rejectedBy: ['thinking-bound-to-other-prefix'] },
      finds: ['rejected 2'],
      after: `
        user: hi
        assistant: hello
        user: and?
        assistant: yes
        user: ok`,
    },
  },
})
