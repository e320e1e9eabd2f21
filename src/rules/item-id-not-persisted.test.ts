import { testRule } from '../testing/index.ts'
import { itemIdNotPersisted } from './item-id-not-persisted.ts'

const user = { role: 'user', content: 'weather?' }
const bare = { type: 'reasoning', id: 'rs_1', summary: [] }
const encrypted = { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }
const call = { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'sunny' }
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'sunny' }] }
const reference = { type: 'item_reference', id: 'msg_0' }
const dialect = 'openai-responses'
const store = { store: false }

testRule(itemIdNotPersisted, {
  constraint: { setting: 'store' },
  dialects: [dialect],
  valid: {
    'ids, where things are stored': { before: [user, bare, { ...call, id: 'fc_1' }, output, reference], dialect },
    'what carries its own content': {
      before: [user, encrypted, { ...call, id: 'fc_1' }, output, { ...answer, id: 'msg_1' }],
      dialect,
      body: store,
    },
  },
  invalid: {
    'reasoning that is only an id, and a reference': {
      before: [reference, user, bare, { ...call, id: 'fc_1' }, output, encrypted, { ...answer, id: 'msg_1' }],
      dialect,
      body: store,
      finds: ['unknown 2'],
      after: [user, call, output, encrypted, { ...answer, id: 'msg_1' }],
    },
    'a reference without a type': {
      before: [user, { id: 'msg_0' }],
      dialect,
      body: store,
      finds: ['unknown 1'],
      after: [user],
    },
    'a rejection: all ids go, encrypted reasoning stays': {
      before: [user, bare, { ...call, id: 'fc_1' }, output, encrypted, { ...answer, id: 'msg_1' }],
      dialect,
      options: { rejectedBy: ['item-id-not-persisted'] },
      finds: ['rejected 4'],
      after: [user, call, output, { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }, answer],
    },
  },
})
