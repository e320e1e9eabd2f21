import { testRule } from '../testing/index.ts'
import { toolResultDuplicate } from './tool-result-duplicate.ts'

const LOST =
  'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.'

testRule(toolResultDuplicate, {
  dialects: ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse'],
  valid: {
    'one result for each call': `
      user: go
      assistant: call a run | call b run
      tool: result a ok | result b ok`,
  },
  invalid: {
    'a copy goes': {
      before: `
        user: go
        assistant: call a run
        tool: result a ok | result a ok`,
      finds: ['duplicate a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
    'the real one beats the placeholder that came first': {
      before: `
        user: go
        assistant: call a run
        tool: failed a ${LOST} | result a ok`,
      finds: ['duplicate a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok`,
    },
    'a second one that says something else stays as a note': {
      before: `
        user: go
        assistant: call a run
        tool: result a ok | result a 3 files changed`,
      finds: ['duplicate a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok
        user: [Another result for call a]\\n3 files changed`,
    },
  },
})
