import { describe, expect, it } from 'vitest'
import { dialectIds, expressible, parseHistory } from '../testing/notation/index.ts'
import { detect } from './detect.ts'
import { dialects } from './index.ts'

const round = `
  user: weather?
  assistant: call a weather {"city":"Oslo"}
  tool: result a sunny
  assistant: sunny`

describe('detect', () => {
  it.each(dialectIds.filter((id) => expressible(round, id)))('knows %s by a tool round', (id) => {
    const history = parseHistory(round, id)
    expect(detect(history)).toBe(id)
    const { key } = dialects.find((dialect) => dialect.id === id)!
    expect(detect({ model: 'm', [key]: history })).toBe(id)
  })

  it('finds a round after many plain messages, up to a limit', () => {
    const texts = (length: number) =>
      Array.from({ length }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: 'x' }))
    const found = parseHistory(round, 'anthropic-messages')
    expect(detect([...texts(50), ...found])).toBe('anthropic-messages')
    expect(detect([...texts(5000), ...found])).toBe('openai-chat')
  })

  it.each([
    ['plain talk', [{ role: 'user', content: 'hi' }], 'openai-chat'],
    [
      'an image of OpenAI',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
      'openai-chat',
    ],
    ['an image of Anthropic', [{ role: 'user', content: [{ type: 'image', source: {} }] }], 'anthropic-messages'],
    ['an image of the AI SDK', [{ role: 'user', content: [{ type: 'image', image: 'x' }] }], 'ai-sdk'],
    ['blocks of Converse', [{ role: 'user', content: [{ text: 'hi' }] }], 'bedrock-converse'],
    [
      'cache marks',
      [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
      'anthropic-messages',
    ],
    [
      'cache marks of a relay',
      [
        { role: 'system', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
        { role: 'user', content: 'hi' },
      ],
      'openai-chat',
    ],
    [
      'thoughts of Mistral',
      [{ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }],
      'openai-chat',
    ],
    [
      'a body with tools of Anthropic',
      { tools: [{ name: 'a', input_schema: {} }], messages: [{ role: 'user', content: 'hi' }] },
      'anthropic-messages',
    ],
    ['contents', [{ role: 'user', parts: [{ text: 'hi' }] }], 'gemini'],
    [
      'an answer of Anthropic as it came',
      [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'hi' }],
          stop_reason: 'end_turn',
        },
      ],
      'anthropic-messages',
    ],
    ['an item', [{ type: 'message', role: 'user', content: 'hi' }], 'openai-responses'],
    ['a call of Responses', [{ type: 'local_shell_call', call_id: 'a' }], 'openai-responses'],
    ['a stored message', [{ type: 'human', data: { content: 'hi' } }], 'langchain'],
    ['a serialized message', [{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: {} }], 'langchain'],
    ['an instance', [{ content: 'hi', getType: () => 'human' }], 'langchain'],
    ['a body with a list of systems', { system: [{ type: 'text', text: 'x' }], messages: [] }, 'anthropic-messages'],
    ['a body of Converse', { inferenceConfig: {}, messages: [{ role: 'user', content: [] }] }, 'bedrock-converse'],
    ['an input of text', { model: 'm', input: 'hi' }, 'openai-responses'],
  ])('knows %s', (_name, history, id) => expect(detect(history)).toBe(id))

  it.each([[[]], [{}], [null], [undefined], ['hi'], [7], [[null, 1, 'x', []]], [{ messages: 7 }], [[{}]]])(
    'knows nothing in %j',
    (history) => expect(detect(history)).toBeUndefined(),
  )
})
