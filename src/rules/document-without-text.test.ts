import { testRule } from '../testing/index.ts'
import { documentWithoutText } from './document-without-text.ts'

const document = { document: { format: 'pdf', name: 'a', source: { bytes: 'JVBERi0x' } } }
const history = (...content: readonly unknown[]) => [{ role: 'user', content }]

testRule(documentWithoutText, {
  dialects: ['bedrock-converse'],
  valid: {
    'a text beside it': { before: history(document, { text: 'read' }), dialect: 'bedrock-converse' },
    'an image alone': 'user: image',
  },
  invalid: {
    'a document alone': {
      before: history(document),
      dialect: 'bedrock-converse',
      finds: ['alone'],
      after: history(document, { text: '(document attached)' }),
    },
  },
})
