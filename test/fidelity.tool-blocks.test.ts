/**
 * Blocks of other APIs in `tool` messages: every provider of the chat API gets a history that it accepts, with every
 * word and image.
 */
import { describe, it } from 'vitest'
import { seats } from './agreement.ts'
import { KEPT, keepsAll, PNG } from './fidelity-case.ts'

const providers = [...new Set(seats.filter(({ dialect }) => dialect === 'openai-chat').map(({ provider }) => provider))]

/** They accept no images at all: a text names what was left out. */
const WITHOUT_IMAGES = ['mimo']

const go = { role: 'user', content: 'go' }
const called = {
  role: 'assistant',
  content: null,
  reasoning_content: 'I look.',
  tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'run', arguments: '{"a":1}' } }],
}

const blocks: Readonly<Record<string, readonly unknown[]>> = {
  'a call of the Messages API': [{ type: 'tool_use', id: 'x', name: 'run', input: { text: KEPT } }],
  'a result of the Messages API': [{ type: 'tool_result', tool_use_id: 'abcdefghi', content: KEPT }],
  'a result of the Messages API with blocks': [
    { type: 'tool_result', tool_use_id: 'abcdefghi', content: [{ type: 'text', text: KEPT }] },
  ],
  'thinking beside a text': [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'text', text: KEPT },
  ],
  'an image of the Messages API': [
    { type: 'text', text: KEPT },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  ],
  'a text of the Responses API': [{ type: 'input_text', text: KEPT }],
  'a part of Gemini': [{ text: KEPT }],
  'a response of Gemini': [{ functionResponse: { name: 'run', response: { output: KEPT } } }],
  'data of Gemini': [{ text: KEPT }, { inlineData: { mimeType: 'image/png', data: PNG } }],
  'a result of Bedrock': [{ toolResult: { toolUseId: 'abcdefghi', content: [{ text: KEPT }] } }],
  'JSON of Bedrock': [{ json: { said: KEPT } }],
  'an image of Bedrock': [{ text: KEPT }, { image: { format: 'png', source: { bytes: PNG } } }],
}

describe.each(providers)('%s', (provider) => {
  it.each(Object.entries(blocks))('%s in a tool message', (_name, content) => {
    const history = [go, called, { role: 'tool', tool_call_id: 'abcdefghi', content }, go]
    const hasImage = JSON.stringify(content).includes(PNG) && !WITHOUT_IMAGES.includes(provider)
    const words = hasImage ? [KEPT, PNG] : [KEPT]
    keepsAll({ provider, dialect: 'openai-chat', history, words })
  })
})
