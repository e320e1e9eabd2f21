import { testRule } from '../testing/index.ts'
import { reasoningEncryptedContentInvalid } from './reasoning-encrypted-content-invalid.ts'

const user = { role: 'user', content: 'weather?' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'weather', arguments: '{}' })
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'sunny' })
const dialect = 'openai-responses'
const history = [
  user,
  reasoning,
  { ...call('a'), id: 'fc_1' },
  { ...call('b'), id: 'fc_2' },
  output('a'),
  output('b'),
  { ...call('c'), id: 'fc_3' },
  output('c'),
]

testRule(reasoningEncryptedContentInvalid, {
  dialects: [dialect],
  valid: { 'encrypted reasoning, which only the provider can check': { before: history, dialect } },
  invalid: {
    'a summary in the place of what is encrypted': {
      before: [
        user,
        { ...reasoning, encrypted_content: '- I looked at it' },
        { ...call('a'), id: 'fc_1' },
        output('a'),
      ],
      dialect,
      constraint: { begins: 'gAAA' },
      finds: ['foreign'],
      after: [user, call('a'), output('a')],
    },
    'a signature of another provider': {
      before: [user, { ...reasoning, encrypted_content: `EqQB${'c2lnbmVk'.repeat(8)}` }, call('a'), output('a')],
      dialect,
      constraint: { begins: 'gAAA', foreign: /^[CE][g-v]/ },
      finds: ['foreign'],
      after: [user, call('a'), output('a')],
    },
    'a code that begins as none before: it may be a new format, and stays until a rejection': {
      before: [user, { ...reasoning, encrypted_content: `rsn_${'c2lnbmVk'.repeat(8)}` }, call('a'), output('a')],
      dialect,
      constraint: { begins: 'gAAA', foreign: /^[CE][g-v]/ },
      finds: ['foreign'],
    },
    'a rejection: a sealed summary of earlier turns goes, and the finding says what is lost': {
      before: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAsealed' }, user],
      dialect,
      options: { rejectedBy: ['reasoning-encrypted-content-invalid'] },
      finds: ['sealed compaction'],
      after: [user],
    },
    'a rejection: reasoning goes, and the ids that would ask for it': {
      before: history,
      dialect,
      options: { rejectedBy: ['reasoning-encrypted-content-invalid'] },
      finds: ['invalid 1'],
      after: [user, call('a'), call('b'), output('a'), output('b'), { ...call('c'), id: 'fc_3' }, output('c')],
    },
  },
})
