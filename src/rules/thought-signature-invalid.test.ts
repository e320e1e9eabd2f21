import { testRule } from '../testing/index.ts'
import { thoughtSignatureInvalid } from './thought-signature-invalid.ts'

const signature = {
  keys: { functionCall: 'thoughtSignature', function_call: 'thought_signature' },
  sentinel: 'skip_thought_signature_validator',
}
const user = { role: 'user', parts: [{ text: 'go' }] }
const call = { functionCall: { name: 'a', args: {} } }
const thought = { text: 'hm', thought: true }
const answer = { role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: 'ok' } } }] }
const dialect = 'gemini'
const history = [
  user,
  {
    role: 'model',
    parts: [
      { ...thought, thoughtSignature: 's' },
      { ...call, thoughtSignature: 's' },
    ],
  },
  answer,
]

testRule(thoughtSignatureInvalid, {
  constraint: signature,
  dialects: [dialect],
  valid: { 'a signature, which only the service can check': { before: history, dialect } },
  invalid: {
    'letters that no signature has': {
      before: [user, { role: 'model', parts: [{ ...call, thoughtSignature: 'not base64!' }] }, answer],
      dialect,
      constraint: { letters: /^[A-Za-z0-9+/_=-]*$/ },
      finds: ['letters'],
      after: [
        user,
        { role: 'model', parts: [{ ...call, thoughtSignature: 'skip_thought_signature_validator' }] },
        answer,
      ],
    },
    'a rejection: the call stays, with the sentinel': {
      before: history,
      dialect,
      options: { rejectedBy: ['thought-signature-invalid'] },
      finds: ['invalid 2'],
      after: [
        user,
        { role: 'model', parts: [thought, { ...call, thoughtSignature: 'skip_thought_signature_validator' }] },
        answer,
      ],
    },
  },
})
