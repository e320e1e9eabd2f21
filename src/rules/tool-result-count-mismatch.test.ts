import { testRule } from '../testing/index.ts'
import { toolResultCountMismatch } from './tool-result-count-mismatch.ts'
import { toolResultDuplicate } from './tool-result-duplicate.ts'
import { toolResultMissing } from './tool-result-missing.ts'
import { toolResultNotAdjacent } from './tool-result-not-adjacent.ts'
import { toolResultOrphan } from './tool-result-orphan.ts'

const M = { evidence: 'many-reports' } as const

testRule(toolResultCountMismatch, {
  dialects: ['gemini', 'openai-chat'],
  with: [toolResultMissing, toolResultOrphan, toolResultDuplicate, toolResultNotAdjacent],
  constraints: {
    'tool-result-missing': M,
    'tool-result-orphan': M,
    'tool-result-duplicate': M,
    'tool-result-not-adjacent': M,
  },
  valid: {
    'as many results as calls': `
      user: go
      assistant: call a run | call b look
      tool: result a ok | result b ok`,
    'a batch that is not done yet': {
      before: `
        user: go
        assistant: call a run | call b look
        tool: result a ok`,
      options: { inProgress: true },
    },
    'results in contents of their own, where only their number counts': {
      before: `
        user: go
        assistant: call a run | call b look
        user: result a ok
        user: result b ok`,
      dialects: ['gemini'],
    },
  },
  invalid: {
    'one of two calls was cancelled': {
      before: `
        user: go
        assistant: call a run | call b look
        tool: result a ok
        user: and?`,
      finds: ['count 2 1'],
      after: `
        user: go
        assistant: call a run | call b look
        tool: result a ok | failed b No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.
        user: and?`,
    },
    'one result too many': {
      before: `
        user: go
        assistant: call a run
        tool: result a ok | result z sunny
        assistant: done`,
      dialects: ['openai-chat'],
      finds: ['count 1 2'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok
        user: [Result for a call that is no longer in this conversation (z)]\\nsunny
        assistant: done`,
    },
    'results of one turn in two contents': {
      before: `
        user: go
        assistant: call a run | call b look
        user: result a ok
        user: result b ok`,
      dialects: ['gemini'],
      constraint: { split: true },
      finds: ['split 2 2'],
      after: `
        user: go
        assistant: call a run | call b look
        user: result a ok | result b ok`,
    },
  },
})
