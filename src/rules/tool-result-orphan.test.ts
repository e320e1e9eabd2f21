import { testRule } from '../testing/index.ts'
import { toolCallIdDuplicate } from './tool-call-id-duplicate.ts'
import { toolResultMissing } from './tool-result-missing.ts'
import { toolResultOrphan } from './tool-result-orphan.ts'

const note = '[Result for a call that is no longer in this conversation (z)]\\n'

testRule(toolResultOrphan, {
  with: [toolResultMissing, toolCallIdDuplicate],
  constraints: {
    'tool-result-missing': { evidence: 'many-reports' },
    'tool-call-id-duplicate': { evidence: 'many-reports', scope: 'request' },
  },
  dialects: ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse'],
  valid: {
    'a result with its call': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'a call that the provider keeps': {
      before: `
        tool: result a ok`,
      dialects: ['openai-responses'],
      body: { previous_response_id: 'resp_1' },
    },
  },
  invalid: {
    'a history that begins in the middle of a round': {
      before: `
        tool: result z sunny
        assistant: it is sunny`,
      finds: ['orphan z'],
      after: `
        user: ${note}sunny
        assistant: it is sunny`,
    },
    'beside a result that has its call': {
      before: `
        user: go
        assistant: call a run
        tool: result z sunny | result a ok
        assistant: done`,
      finds: ['orphan z'],
      after: `
        user: go
        assistant: call a run
        tool: result a ok
        user: ${note}sunny
        assistant: done`,
    },
    'dropped because the policy says so': {
      before: `
        user: go
        tool: result z sunny
        assistant: done`,
      options: { policy: { orphan: 'drop' } },
      finds: ['orphan z'],
      after: `
        user: go
        assistant: done`,
    },
    'its call created again, with an id that no later call has': {
      before: `
        user: go
        tool: result a old
        assistant: call a run
        tool: result a new`,
      options: { policy: { orphan: 'rebuild' } },
      finds: ['orphan a'],
      after: `
        user: go
        assistant: call a_2 unknown_tool
        tool: result a_2 old
        assistant: call a run
        tool: result a new`,
      dialects: ['openai-chat', 'anthropic-messages', 'bedrock-converse'],
    },
  },
})
