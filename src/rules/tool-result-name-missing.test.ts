import { testRule } from '../testing/index.ts'
import { toolResultNameMissing } from './tool-result-name-missing.ts'

const history = (name: string) => [
  { role: 'user', parts: [{ text: 'go' }] },
  { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name, response: { output: 'done' } } }] },
]

testRule(toolResultNameMissing, {
  dialects: ['gemini'],
  valid: { 'the name of another tool stays': { before: history('other'), dialect: 'gemini' } },
  invalid: {
    'an empty name': { before: history(''), dialect: 'gemini', finds: ['name run'], after: history('run') },
  },
})
