import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { toolCallNameInvalid } from './tool-call-name-invalid.ts'

const round = (name: string) => `
        user: go
        assistant: call a ${name} {"x":1}
        tool: result a ok`

testRule(toolCallNameInvalid, {
  dialects: ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse', 'gemini'],
  constraint: { pattern: /^[a-zA-Z0-9_-]+$/, max: 20 },
  valid: {
    'a plain name': round('get_weather-2'),
    'a tool that has no name in its shape': {
      before: [
        { role: 'user', content: 'go' },
        { type: 'local_shell_call', call_id: 'a', action: { type: 'exec', command: ['ls'] } },
        { type: 'local_shell_call_output', call_id: 'a', output: 'x' },
      ],
      dialect: 'openai-responses',
    },
  },
  invalid: {
    'letters that are not allowed': {
      before: round('mcp.files/read'),
      finds: ['name a mcp.files/read'],
      after: round('mcp_files_read'),
    },
    'a name too long keeps what tells it apart': {
      before: round('read_a_very_long_name_1'),
      finds: ['name a read_a_very_long_name_1'],
      after: round(`read_a_ver_${hash('read_a_very_long_name_1')}`),
    },
    'an empty name': {
      before: round('""'),
      finds: ['none a '],
      after: round('unknown_tool'),
    },
    __proto__name: {
      before: round('__proto__.x'),
      finds: ['name a __proto__.x'],
      after: round('__proto___x'),
    },
  },
})
