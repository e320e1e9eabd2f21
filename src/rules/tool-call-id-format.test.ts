import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { toolCallIdFormat } from './tool-call-id-format.ts'

const round = (id: string) => `
        user: go
        assistant: call ${id} run
        tool: result ${id} ok`

testRule(toolCallIdFormat, {
  dialects: [
    'openai-chat',
    'openai-responses',
    'anthropic-messages',
    'bedrock-converse',
    'gemini',
    'ai-sdk',
    'langchain',
  ],
  constraint: { pattern: /^[a-zA-Z0-9_-]+$/ },
  valid: { 'letters, digits and dashes': round('toolu_01-x') },
  invalid: {
    'an id of another provider': {
      before: round('functions.bash:0'),
      finds: ['format functions.bash:0'],
      after: round(hash('functions.bash:0')),
    },
    'the same id again becomes the same name, where ids may repeat': {
      before: round('functions.bash:0') + round('functions.bash:1') + round('functions.bash:0'),
      finds: ['format functions.bash:0', 'format functions.bash:1', 'format functions.bash:0'],
      after: round(hash('functions.bash:0')) + round(hash('functions.bash:1')) + round(hash('functions.bash:0')),
    },
    'an id of the right letters and the wrong length': {
      before: round('call_1'),
      constraint: { pattern: /^[a-zA-Z0-9]{9}$/ },
      finds: ['format call_1'],
      after: round(hash('call_1')),
    },
    'a rejection where no constraint was known': {
      before: round('call_2'),
      constraint: { pattern: undefined },
      options: { rejectedBy: ['tool-call-id-format'] },
      finds: ['format call_2'],
      after: round(hash('call_2')),
    },
  },
})
