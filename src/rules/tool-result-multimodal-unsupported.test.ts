import { testRule } from '../testing/index.ts'
import { toolResultMultimodalUnsupported } from './tool-result-multimodal-unsupported.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const asked = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
]
const data = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
const gemini = (parts?: readonly unknown[]) => [
  { role: 'user', parts: [{ text: 'go' }] },
  { role: 'model', parts: [{ functionCall: { id: 'a', name: 'look', args: {} } }] },
  {
    role: 'user',
    parts: [{ functionResponse: { id: 'a', name: 'look', response: { ok: true }, ...(parts ? { parts } : {}) } }],
  },
]

testRule(toolResultMultimodalUnsupported, {
  constraint: { media: [] },
  valid: {
    'text results': `
      user: go
      assistant: call a run
      tool: result a ok`,
    'a list of texts': {
      before: [
        ...asked,
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ],
      dialect: 'openai-chat',
    },
    'an image where images are accepted': {
      before: gemini([data]),
      dialect: 'gemini',
      constraint: { media: ['image'] },
    },
  },
  invalid: {
    'an image beside text, in the first of two results': {
      before: [
        ...asked,
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'here' }, picture] },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ],
      dialect: 'openai-chat',
      finds: ['media a 1'],
      after: [
        ...asked,
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'here' }] },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
        { role: 'user', content: [{ type: 'text', text: '[Media from the result of call a]' }, picture] },
      ],
    },
    'nothing but an image': {
      before: [
        ...asked,
        { role: 'tool', tool_call_id: 'a', content: [picture] },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ],
      dialect: 'openai-chat',
      finds: ['media a 1'],
      after: [
        ...asked,
        { role: 'tool', tool_call_id: 'a', content: '(see the media in the next message)' },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
        { role: 'user', content: [{ type: 'text', text: '[Media from the result of call a]' }, picture] },
      ],
    },
    'parts of a response': {
      before: gemini([data]),
      dialect: 'gemini',
      finds: ['media a 1'],
      after: [...gemini(), { role: 'user', parts: [{ text: '[Media from the result of call a]' }, data] }],
    },
    'a round that may still be answered is only reported': {
      before: [...asked, { role: 'tool', tool_call_id: 'a', content: [picture] }],
      dialect: 'openai-chat',
      options: { inProgress: true },
      finds: ['media a 1'],
    },
  },
})
