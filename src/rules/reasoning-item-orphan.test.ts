import { testRule } from '../testing/index.ts'
import { itemIdDuplicate } from './item-id-duplicate.ts'
import { reasoningItemOrphan } from './reasoning-item-orphan.ts'
import { textBlank } from './text-blank.ts'
import { toolResultMissing } from './tool-result-missing.ts'

const user = { role: 'user', content: 'weather?' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
const bare = { type: 'reasoning', id: 'rs_2', summary: [] }
const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'weather', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'sunny' }
const answer = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const dialect = 'openai-responses'

testRule(reasoningItemOrphan, {
  dialects: [dialect],
  valid: {
    'reasoning before a call': { before: [user, reasoning, call, output], dialect },
    'two in a row before a message': { before: [user, reasoning, bare, answer('hm')], dialect },
    'without an id nothing is looked up': { before: [user, { ...bare, id: undefined }, user], dialect },
    'at the end of what is not sent yet': { before: [user, reasoning], dialect, options: { inProgress: true } },
  },
  invalid: {
    'what followed was dropped': {
      before: [user, reasoning, bare, user],
      dialect,
      finds: ['orphan', 'orphan'],
      after: [user, user],
    },
    'an output follows, its call is gone': {
      before: [user, call, reasoning, output],
      dialect,
      finds: ['orphan'],
      after: [user, call, output],
    },
    'at the end': { before: [user, reasoning], dialect, finds: ['orphan'], after: [user] },
    'a rejection, and an item that lost its id': {
      before: [user, bare, { ...call, id: undefined }, output],
      dialect,
      options: { rejectedBy: ['reasoning-item-orphan'] },
      finds: ['orphan'],
      after: [user, { ...call, id: undefined }, output],
    },
  },
})

testRule(reasoningItemOrphan, {
  constraints: {
    'tool-result-missing': { evidence: 'documented' },
    'text-blank': { evidence: 'documented' },
    'item-id-duplicate': { evidence: 'many-reports' },
  },
  with: [toolResultMissing, textBlank, itemIdDuplicate],
  dialects: [dialect],
  valid: {},
  invalid: {
    'another rule takes out the call after it': {
      before: [user, reasoning, call, user],
      dialect,
      options: { policy: { unanswered: 'omit' } },
      finds: ['orphan'],
      after: [user, user],
    },
    'another rule takes out the reference after it': {
      before: [{ ...answer('hi'), id: 'msg_1' }, reasoning, { type: 'item_reference', id: 'msg_1' }, user],
      dialect,
      finds: ['orphan'],
      after: [{ ...answer('hi'), id: 'msg_1' }, user],
    },
    'another rule empties the message after it': {
      before: [user, reasoning, answer(' '), user],
      dialect,
      finds: ['orphan'],
      after: [user, user],
    },
  },
})
