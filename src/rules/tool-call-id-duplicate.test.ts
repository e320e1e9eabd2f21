import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { toolCallIdDuplicate } from './tool-call-id-duplicate.ts'
import { toolCallIdFormat } from './tool-call-id-format.ts'
import { toolResultMissing } from './tool-result-missing.ts'

const LOST =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'
const early = `
        user: go
        assistant: call a run {"n":1} | call a_2 run {"n":2}
        tool: failed a_2 ${LOST} | result a one`
const round = (id: string, content: string) => `
        user: go
        assistant: call ${id} run
        tool: result ${id} ${content}`

testRule(toolCallIdDuplicate, {
  constraints: { 'tool-result-missing': { evidence: 'many-reports' } },
  with: [toolResultMissing],
  constraint: { scope: 'request' },
  valid: {
    'different ids': round('a', 'one') + round('b', 'two'),
    'an id used again in a later turn, where only a turn counts': {
      before: round('a', 'one') + round('a', 'two'),
      constraint: { scope: 'message' },
    },
  },
  invalid: {
    'an id used again in a later turn': {
      before: round('a', 'one') + round('a', 'two') + round('a', 'three'),
      finds: ['duplicate a', 'duplicate a'],
      after: round('a', 'one') + round('a_2', 'two') + round('a_3', 'three'),
    },
    'a name that is taken is passed over': {
      before: round('a', 'one') + round('a_2', 'two') + round('a', 'three'),
      finds: ['duplicate a'],
      after: round('a', 'one') + round('a_2', 'two') + round('a_3', 'three'),
    },
    'what was renamed keeps its name when a later call has it': {
      before: round('a', 'one') + round('a', 'two') + round('a_2', 'three'),
      finds: ['duplicate a', 'duplicate a_2'],
      after: round('a', 'one') + round('a_2', 'two') + round('a_2_2', 'three'),
    },
    'two calls with one id in one message, paired by place': {
      before: `
        user: go
        assistant: call a run {"n":1} | call a run {"n":2}
        tool: result a one | result a two`,
      constraint: { scope: 'message' },
      finds: ['duplicate a'],
      after: `
        user: go
        assistant: call a run {"n":1} | call a_2 run {"n":2}
        tool: result a one | result a_2 two`,
    },
    'the second call has no result of its own': {
      before: `
        user: go
        assistant: call a run {"n":1} | call a run {"n":2}
        tool: result a one`,
      finds: ['duplicate a'],
      after: `
        user: go
        assistant: call a run {"n":1} | call a_2 run {"n":2}
        tool: result a one | failed a_2 ${LOST}`,
      // If results may be anywhere, existing ones are not moved.
      afterIn: { 'openai-responses': early, langchain: early },
    },
  },
})

testRule(toolCallIdDuplicate, {
  dialects: ['openai-chat'],
  constraints: { 'tool-call-id-format': { evidence: 'many-reports', pattern: /^[a-zA-Z0-9]{9}$/ } },
  with: [toolCallIdFormat],
  constraint: { scope: 'request' },
  valid: { 'nine letters': round('abcdefghi', 'one') },
  invalid: {
    'where the derived name would break the format, it is hashed': {
      before: round('abcdefghi', 'one') + round('abcdefghi', 'two'),
      finds: ['duplicate abcdefghi'],
      after: round('abcdefghi', 'one') + round(hash('abcdefghi_2'), 'two'),
    },
  },
})
