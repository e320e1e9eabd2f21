import { testRule } from '../testing/index.ts'
import { itemIdOtherConnection } from './item-id-other-connection.ts'

const user = { role: 'user', content: 'weather?' }
const encrypted = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
const call = { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'sunny' }
const dialect = 'openai-responses'

testRule(itemIdOtherConnection, {
  dialects: [dialect],
  valid: { 'no ids': { before: [user, encrypted, call, output], dialect } },
  invalid: {
    'ids of any connection': {
      before: [
        user,
        { ...encrypted, id: 'x1' },
        { ...call, id: 'x2' },
        { ...output, id: 'x3' },
        { type: 'item_reference', id: 'x4' },
      ],
      dialect,
      finds: ['ids 4'],
      after: [user, encrypted, call, output],
    },
  },
})
