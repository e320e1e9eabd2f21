import { testRule } from '../../testing/index.ts'
import { itemWithoutReasoning } from './item-without-reasoning.ts'

const user = { role: 'user', content: 'weather?' }
const call = { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'sunny' }
const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'sunny' }] }
const dialect = 'openai-responses'
const history = [user, { ...call, id: 'fc_1' }, output, { ...reasoning, id: 'rs_1' }, { ...answer, id: 'msg_1' }]

testRule(itemWithoutReasoning, {
  dialects: [dialect],
  valid: { 'ids that were not rejected': { before: history, dialect } },
  invalid: {
    'a rejection: ids go, calls and their ids stay': {
      before: history,
      dialect,
      options: { rejectedBy: ['item-without-reasoning'] },
      finds: ['alone 3'],
      after: [user, call, output, reasoning, answer],
    },
  },
})
