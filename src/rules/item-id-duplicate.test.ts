import { testRule } from '../testing/index.ts'
import { itemIdDuplicate } from './item-id-duplicate.ts'

const answer = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const dialect = 'openai-responses'

testRule(itemIdDuplicate, {
  dialects: [dialect],
  valid: {
    'an id each': {
      before: [{ ...answer('a'), id: 'msg_1' }, { ...answer('b'), id: 'msg_2' }, answer('c'), answer('d')],
      dialect,
    },
  },
  invalid: {
    'parts of one message as several': {
      before: [
        { ...answer('a'), id: 'msg_1' },
        { ...answer('b'), id: 'msg_1' },
        { ...answer('c'), id: 'msg_1' },
      ],
      dialect,
      finds: ['duplicate msg_1', 'duplicate msg_1'],
      after: [{ ...answer('a'), id: 'msg_1' }, answer('b'), answer('c')],
    },
    'a reference to what is there already': {
      before: [
        { ...answer('a'), id: 'msg_1' },
        { type: 'item_reference', id: 'msg_1' },
      ],
      dialect,
      finds: ['duplicate msg_1'],
      after: [{ ...answer('a'), id: 'msg_1' }],
    },
  },
})
