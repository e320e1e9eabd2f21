import { testRule } from '../testing/index.ts'
import { toolResultItemId } from './tool-result-item-id.ts'

const round = (id?: string) => [
  { role: 'user', content: 'go' },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'run', arguments: '{}' },
  { type: 'function_call_output', ...(id === undefined ? {} : { id }), call_id: 'call_1', output: 'ok' },
]

testRule(toolResultItemId, {
  dialects: ['openai-responses'],
  valid: {
    'no id': { before: round(), dialect: 'openai-responses' },
    'an id of its own': { before: round('fco_1'), dialect: 'openai-responses' },
  },
  invalid: {
    "the call's id": {
      before: round('fc_1'),
      dialect: 'openai-responses',
      finds: ['item call_1 fc_1'],
      after: round(),
    },
  },
})
