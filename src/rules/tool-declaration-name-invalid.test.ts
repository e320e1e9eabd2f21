import { testRule } from '../testing/index.ts'
import { toolDeclarationNameInvalid } from './tool-declaration-name-invalid.ts'

const before = 'user: hello'

testRule(toolDeclarationNameInvalid, {
  constraint: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  dialects: ['openai-chat'],
  valid: {
    'names, and a tool without one': {
      before,
      body: { tools: [{ type: 'function', function: { name: 'run' } }, { type: 'web_search' }] },
    },
    'no body': before,
  },
  invalid: {
    'a dot': {
      before,
      body: { tools: [{ type: 'function', function: { name: 'a.b' } }] },
      finds: ['name a.b'],
    },
    'in a group of declarations': {
      before,
      dialects: ['gemini'],
      body: { tools: [{ functionDeclarations: [{ name: 'ok' }, { name: 'a b' }] }] },
      finds: ['name a b'],
    },
    'in the shape of Bedrock': {
      before,
      dialects: ['bedrock-converse'],
      body: { toolConfig: { tools: [{ toolSpec: { name: 'x'.repeat(65) } }] } },
      finds: ['name ' + 'x'.repeat(65)],
    },
  },
})
