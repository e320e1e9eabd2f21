import { testRule } from '../testing/index.ts'
import { documentNameInvalid } from './document-name-invalid.ts'

const named = (name: string) => ({ document: { format: 'pdf', name, source: { bytes: 'JVBERi0x' } } })
const talk = (...content: readonly unknown[]) => [{ role: 'user', content: [{ text: 'read' }, ...content] }]

testRule(documentNameInvalid, {
  dialects: ['bedrock-converse'],
  valid: {
    'letters, digits, spaces, hyphens, parentheses, brackets': {
      before: talk(named('Report 2026-1 (final) [v2]')),
      dialect: 'bedrock-converse',
    },
  },
  invalid: {
    'a file name, several spaces, other letters, nothing': {
      before: talk(named('my_report.v2'), named('a  b'), named('отчёт'), named('')),
      dialect: 'bedrock-converse',
      finds: ['invalid my_report.v2', 'invalid a  b', 'invalid отчёт', 'invalid '],
      after: talk(named('my-report-v2'), named('a b'), named('-----'), named('document')),
    },
  },
})
