import { testRule } from '../testing/index.ts'
import { thinkingBlockMissingBeforeToolUse } from './thinking-block-missing-before-tool-use.ts'
import { thinkingSignatureInvalid } from './thinking-signature-invalid.ts'

const turn = (signature: unknown, text: string) => ({
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'hm', signature },
    { type: 'text', text },
  ],
})
const user = (content: string) => ({ role: 'user', content })
const plain = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })
const rejected = { rejectedBy: ['thinking-signature-invalid'] }

testRule(thinkingSignatureInvalid, {
  dialects: ['anthropic-messages', 'bedrock-converse'],
  valid: {
    'a signature, which only the provider can check': `
      user: hi
      assistant: think! hm | hello`,
    'a rejection with no thinking in sight': {
      before: `
        user: hi
        assistant: hello`,
      options: rejected,
    },
  },
  invalid: {
    'a blanked signature in a message of the user': {
      before: [{ ...turn('', 'one'), role: 'user' }, turn('s1', 'a')],
      dialect: 'anthropic-messages',
      finds: ['blanked 1'],
      after: [{ role: 'user', content: [{ type: 'text', text: 'one' }] }, turn('s1', 'a')],
    },
    'a blanked signature: the turns before it go with it, those after stay': {
      before: [
        user('one'),
        turn('s1', 'a'),
        user('two'),
        turn('', 'b'),
        turn('s2', 'c'),
        user('three'),
        turn('s3', 'd'),
      ],
      dialect: 'anthropic-messages',
      finds: ['blanked 3'],
      after: [user('one'), plain('a'), user('two'), plain('b'), plain('c'), user('three'), turn('s3', 'd')],
    },
    'a rejection: all go, never the named one alone': {
      before: `
        user: hi
        assistant: think! one | hello
        user: weather?
        assistant: think! two | call a weather
        tool: result a sunny`,
      options: rejected,
      finds: ['rejected 2'],
      after: `
        user: hi
        assistant: hello
        user: weather?
        assistant: call a weather
        tool: result a sunny`,
    },
  },
})

// Inside a tool loop the request must not ask for thinking that is gone.
testRule(thinkingSignatureInvalid, {
  constraints: { 'thinking-block-missing-before-tool-use': { evidence: 'documented' } },
  with: [thinkingBlockMissingBeforeToolUse],
  dialects: ['anthropic-messages'],
  valid: {},
  invalid: {
    'a rejection inside a tool loop': {
      before: `
        user: weather?
        assistant: think! two | call a weather
        tool: result a sunny`,
      body: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      options: rejected,
      finds: ['rejected 1'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny`,
      afterBody: { thinking: { type: 'disabled' } },
    },
  },
})
