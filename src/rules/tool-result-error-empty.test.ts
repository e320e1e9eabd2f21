import { testRule } from '../testing/index.ts'
import { toolResultErrorEmpty } from './tool-result-error-empty.ts'

testRule(toolResultErrorEmpty, {
  dialects: ['bedrock-converse', 'anthropic-messages', 'ai-sdk'],
  valid: {
    'a failure with a message': `
      user: go
      assistant: call a run
      tool: failed a no such file`,
    'an empty success': {
      before: [
        { role: 'user', content: [{ text: 'go' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'run', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [] } }] },
      ],
      dialect: 'bedrock-converse',
    },
  },
  invalid: {
    'a failure without a word': {
      before: [
        { role: 'user', content: [{ text: 'go' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'run', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [], status: 'error' } }] },
      ],
      dialect: 'bedrock-converse',
      finds: ['empty a'],
      after: [
        { role: 'user', content: [{ text: 'go' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'run', input: {} } }] },
        {
          role: 'user',
          content: [
            {
              toolResult: {
                toolUseId: 'a',
                content: [{ text: 'The tool failed and gave no message.' }],
                status: 'error',
              },
            },
          ],
        },
      ],
    },
    'an empty text': {
      before: `
        user: go
        assistant: call a run
        tool: failed a`,
      finds: ['empty a'],
      after: `
        user: go
        assistant: call a run
        tool: failed a The tool failed and gave no message.`,
    },
  },
})
