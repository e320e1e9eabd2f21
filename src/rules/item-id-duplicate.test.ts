import { testRule } from '../testing/index.ts'
import { itemIdDuplicate } from './item-id-duplicate.ts'

const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const dialect = 'openai-responses'

testRule(itemIdDuplicate, {
  dialects: [dialect],
  valid: {
    'an id each': {
      before: [{ ...said('a'), id: 'msg_1' }, { ...said('b'), id: 'msg_2' }, said('c'), said('d')],
      dialect,
    },
  },
  invalid: {
    'parts of one message as several': {
      before: [
        { ...said('a'), id: 'msg_1' },
        { ...said('b'), id: 'msg_1' },
        { ...said('c'), id: 'msg_1' },
      ],
      dialect,
      finds: ['duplicate msg_1', 'duplicate msg_1'],
      after: [{ ...said('a'), id: 'msg_1' }, said('b'), said('c')],
    },
    'a reference to what is there already': {
      before: [
        { ...said('a'), id: 'msg_1' },
        { type: 'item_reference', id: 'msg_1' },
      ],
      dialect,
      finds: ['duplicate msg_1'],
      after: [{ ...said('a'), id: 'msg_1' }],
    },
  },
})
