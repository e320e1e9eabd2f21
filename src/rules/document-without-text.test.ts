import { testRule } from '../testing/index.ts'
import { documentWithoutText } from './document-without-text.ts'

const document = { document: { format: 'pdf', name: 'a', source: { bytes: 'JVBERi0x' } } }
const talk = (...content: readonly unknown[]) => [{ role: 'user', content }]

testRule(documentWithoutText, {
  dialects: ['bedrock-converse'],
  valid: {
    'a text beside it': { before: talk(document, { text: 'read' }), dialect: 'bedrock-converse' },
    'an image alone': 'user: image',
  },
  invalid: {
    'a document alone': {
      before: talk(document),
      dialect: 'bedrock-converse',
      finds: ['alone'],
      after: talk(document, { text: '(document attached)' }),
    },
  },
})
