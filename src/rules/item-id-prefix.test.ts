import { testRule } from '../testing/index.ts'
import { itemIdPrefix } from './item-id-prefix.ts'

const call = { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{}' }
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'sunny' }] }
const encrypted = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
const dialect = 'openai-responses'

testRule(itemIdPrefix, {
  constraint: { prefixes: { function_call: 'fc', reasoning: 'rs', message: 'msg' } },
  dialects: [dialect],
  valid: {
    'ids of their type': {
      before: [
        { ...encrypted, id: 'rs_1' },
        { ...call, id: 'fc_1' },
        { ...answer, id: 'msg_1' },
      ],
      dialect,
    },
    'no ids': { before: [encrypted, call, answer], dialect },
    'a type that is not listed': { before: [{ type: 'web_search_call', id: 'anything' }], dialect },
    'a type named like a key of every object': { before: [{ type: 'constructor', id: 'x' }], dialect },
  },
  invalid: {
    'the call id in the place of the item id: dropped, not rewritten': {
      before: [{ ...call, id: 'call_a' }],
      dialect,
      finds: ['prefix call_a fc'],
      after: [call],
    },
    'foreign ids': {
      before: [
        { ...encrypted, id: 'item_1' },
        { type: 'reasoning', id: 'item_2', summary: [] },
        { ...answer, id: 'chatcmpl-1' },
        { role: 'assistant', content: 'hi', id: 'x' },
      ],
      dialect,
      finds: ['prefix item_1 rs', 'prefix item_2 rs', 'prefix chatcmpl-1 msg', 'prefix x msg'],
      after: [encrypted, answer, { role: 'assistant', content: 'hi' }],
    },
  },
})
