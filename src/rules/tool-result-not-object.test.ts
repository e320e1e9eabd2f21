import { testRule } from '../testing/index.ts'
import { toolResultNotObject } from './tool-result-not-object.ts'

const round = (response: unknown) => [
  { role: 'user', parts: [{ text: 'go' }] },
  { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'run', response } }] },
]
const wrapped = (response: unknown) => ({
  before: round(response),
  dialect: 'gemini',
  finds: ['object run'],
  after: round({ result: response }),
})

testRule(toolResultNotObject, {
  dialects: ['gemini'],
  valid: { 'an object': { before: round({ ok: true }), dialect: 'gemini' } },
  invalid: {
    'a text': wrapped('sunny'),
    'a list': wrapped([1, 2]),
    null: { before: round(null), dialect: 'gemini', finds: ['none run'] },
  },
})
