import { testRule } from '../testing/index.ts'
import { toolCallNameInvalid } from './tool-call-name-invalid.ts'
import { toolsUndeclaredWithHistory } from './tools-undeclared-with-history.ts'

const description = 'Used earlier in this conversation. Not available now.'
const schema = { type: 'object', properties: {} }
const before = `
        user: go
        assistant: call a run | call b look
        tool: result a ok | result b ok
        assistant: call c run
        tool: result c ok`

testRule(toolsUndeclaredWithHistory, {
  dialects: ['bedrock-converse'],
  valid: {
    'no calls': { before: 'user: hello', body: { modelId: 'm' } },
    'no body to look at': before,
    'tools that are declared': { before, body: { toolConfig: { tools: [{ toolSpec: { name: 'run' } }] } } },
  },
  invalid: {
    'a summary over a history with calls': {
      before,
      body: { modelId: 'm' },
      finds: ['undeclared 2'],
      afterBody: {
        toolConfig: {
          tools: [
            { toolSpec: { name: 'run', description, inputSchema: { json: schema } } },
            { toolSpec: { name: 'look', description, inputSchema: { json: schema } } },
          ],
        },
      },
    },
    'a list without a tool in it': {
      before,
      body: { modelId: 'm', toolConfig: { tools: [] } },
      finds: ['none 2'],
      afterBody: {
        toolConfig: {
          tools: [
            { toolSpec: { name: 'run', description, inputSchema: { json: schema } } },
            { toolSpec: { name: 'look', description, inputSchema: { json: schema } } },
          ],
        },
      },
    },
    'in the shape of OpenAI': {
      before,
      dialects: ['openai-chat'],
      body: { model: 'm' },
      finds: ['undeclared 2'],
      afterBody: {
        tools: [
          { type: 'function', function: { name: 'run', description, parameters: schema } },
          { type: 'function', function: { name: 'look', description, parameters: schema } },
        ],
      },
    },
  },
})

testRule(toolsUndeclaredWithHistory, {
  constraints: { 'tool-call-name-invalid': { evidence: 'many-reports' } },
  with: [toolCallNameInvalid],
  dialects: ['anthropic-messages'],
  valid: { 'a plain talk': 'user: hello' },
  invalid: {
    'a name that is repaired at the same time': {
      before: `
        user: go
        assistant: call a x.y
        tool: result a ok`,
      body: { model: 'm' },
      finds: ['undeclared 1'],
      after: `
        user: go
        assistant: call a x_y
        tool: result a ok`,
      afterBody: { tools: [{ name: 'x_y', description, input_schema: schema }] },
    },
  },
})
