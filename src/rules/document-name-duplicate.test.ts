import { testRule } from '../testing/index.ts'
import { documentNameDuplicate } from './document-name-duplicate.ts'

const named = (name: string) => ({ document: { format: 'pdf', name, source: { bytes: 'JVBERi0x' } } })
const history = (...content: readonly unknown[]) => [{ role: 'user', content: [{ text: 'read' }, ...content] }]

testRule(documentNameDuplicate, {
  dialects: ['bedrock-converse'],
  valid: { 'names of their own': { before: history(named('a'), named('b')), dialect: 'bedrock-converse' } },
  invalid: {
    'one name three times, and a name that is taken': {
      before: history(named('a'), named('a-2'), named('a'), named('a')),
      dialect: 'bedrock-converse',
      finds: ['duplicate a', 'duplicate a'],
      after: history(named('a'), named('a-2'), named('a-3'), named('a-4')),
    },
  },
})
