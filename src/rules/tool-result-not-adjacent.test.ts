import { testRule } from '../testing/index.ts'
import { toolResultMissing } from './tool-result-missing.ts'
import { toolResultNotAdjacent } from './tool-result-not-adjacent.ts'

const placed = ['openai-chat', 'anthropic-messages', 'gemini', 'bedrock-converse', 'ai-sdk']

testRule(toolResultNotAdjacent, {
  dialects: placed,
  constraints: { 'tool-result-missing': { evidence: 'many-reports' } },
  with: [toolResultMissing],
  valid: {
    'results in any order': `
      user: weather?
      assistant: call a weather | call b news
      tool: result b none | result a sunny`,
    'words of the assistant before its results': {
      before: `
        user: go
        assistant: call a run
        assistant: still running
        tool: result a done`,
      constraint: { across: true },
      dialects: ['openai-chat', 'ai-sdk'],
    },
  },
  invalid: {
    'a result before its call': {
      before: `
        user: go
        tool: result a ok
        assistant: call a run
        user: well?`,
      finds: ['early a'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok
        user: well?`,
    },
    'a prompt between call and result': {
      before: `
        user: weather?
        assistant: call a weather
        user: hurry
        tool: result a sunny
        assistant: sunny`,
      finds: ['misplaced a'],
      after: `
        user: weather?
        assistant: call a weather
        tool: result a sunny
        user: hurry
        assistant: sunny`,
    },
    'a result after the next answer': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        tool: result b none
        assistant: wait
        user: ok
        tool: result a sunny`,
      finds: ['misplaced a'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        tool: result a sunny | result b none
        assistant: wait
        user: ok`,
    },
    'text before the result in one message': {
      before: `
        user: weather?
        assistant: call a weather
        user: hurry | result a sunny`,
      dialects: ['anthropic-messages', 'bedrock-converse', 'gemini'],
      finds: ['misplaced a'],
      after: `
        user: weather?
        assistant: call a weather
        user: result a sunny | hurry`,
    },
    'results of one turn over two messages, where that is rejected': {
      before: `
        user: weather?
        assistant: call a weather | call b news
        user: result a sunny
        user: result b none`,
      dialects: ['anthropic-messages'],
      constraint: { split: true },
      finds: ['split 2 2'],
      after: `
        user: weather?
        assistant: call a weather | call b news
        user: result a sunny | result b none`,
    },
  },
})
