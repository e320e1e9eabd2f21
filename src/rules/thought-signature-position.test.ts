import { testRule } from '../testing/index.ts'
import { thoughtSignatureMissing } from './thought-signature-missing.ts'
import { thoughtSignaturePosition } from './thought-signature-position.ts'

const signature = {
  keys: { functionCall: 'thoughtSignature', function_call: 'thought_signature' },
  sentinel: 'skip_thought_signature_validator',
}
const user = { role: 'user', parts: [{ text: 'go' }] }
const call = (name: string, sign?: object) => ({ functionCall: { name, args: {} }, ...sign })
const answers = {
  role: 'user',
  parts: ['a', 'b'].map((name) => ({ functionResponse: { name, response: { output: 'ok' } } })),
}
const skip = { thoughtSignature: 'skip_thought_signature_validator' }
const dialect = 'gemini'

testRule(thoughtSignaturePosition, {
  constraint: signature,
  constraints: { 'thought-signature-missing': { evidence: 'documented', ...signature } },
  with: [thoughtSignatureMissing],
  dialects: [dialect],
  valid: {
    'the first call is signed': {
      before: [user, { role: 'model', parts: [call('a', { thoughtSignature: 's' }), call('b')] }, answers],
      dialect,
    },
    'none is: that is another rule': {
      before: [user, { role: 'model', parts: [call('a'), call('b')] }, answers],
      dialect,
    },
  },
  invalid: {
    'the signature is on the second call': {
      before: [user, { role: 'model', parts: [call('a'), call('b', { thoughtSignature: 's' })] }, answers],
      dialect,
      finds: ['position a'],
      after: [user, { role: 'model', parts: [call('a', skip), call('b', { thoughtSignature: 's' })] }, answers],
    },
  },
})
