import { testRule } from '../testing/index.ts'
import { controlCharacter } from './control-character.ts'

const dialect = 'openai-chat'
const history = (content: string) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content },
]

testRule(controlCharacter, {
  dialects: [dialect],
  constraint: { evidence: 'inferred' },
  valid: { 'colors of a terminal': { before: history('\u001b[31mred\u001b[0m'), dialect } },
  invalid: {
    'binary output is left alone': { before: history('ELF\u0000x'), dialect, finds: ['nul a'] },
    'and replaced when strict': {
      before: history('ELF\u0000x'),
      dialect,
      options: { strict: true },
      finds: ['nul a'],
      after: history('ELF\ufffdx'),
    },
  },
})
