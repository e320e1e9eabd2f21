import { testRule } from '../../testing/index.ts'
import { thinkingChainBroken } from './thinking-chain-broken.ts'

const rejected = { rejectedBy: ['thinking-chain-broken'] }
const history = `
  user: hi
  assistant: think! one | hello
  user: and?
  assistant: think! two | yes`
const bare = `
  user: hi
  assistant: hello
  user: and?
  assistant: yes`

const dropping = {
  setting: ['thinking'],
  path: ['block_binding', 'prefix_mismatch_behavior'],
  drop: 'drop_block',
  fail: 'error',
}

testRule(thinkingChainBroken, {
  dialects: ['anthropic-messages', 'bedrock-converse'],
  valid: { 'thinking that was not rejected': history },
  invalid: {
    'a rejection: all go, never one from the middle': {
      before: history,
      options: rejected,
      finds: ['broken 2'],
      after: bare,
    },
    'a rejection, where the provider can drop what does not fit': {
      before: history,
      constraint: { dropping },
      body: { thinking: { type: 'adaptive' } },
      options: rejected,
      finds: ['broken 2'],
      afterBody: { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } },
      dialects: ['anthropic-messages'],
    },
  },
})
