/**
 * What single parts of a wire format become in every other one: words stay words, media is never taken for another
 * kind, and what cannot be carried is named.
 */
import { describe, expect, it } from 'vitest'
import { endpoints, mains } from './dialect-table.ts'
import { repair } from './untyped-api.ts'

type Messages = readonly Record<string, unknown>[]

function converted(source: string, history: Messages) {
  return Object.keys(endpoints)
    .filter((to) => to !== source)
    .map((to) => {
      const { value, findings } = repair(history, { provider: mains[to]!, dialect: to, convert: true })
      const lost = findings.map(({ data }) => (data as { lost?: string }).lost ?? '').join()
      return { to, text: JSON.stringify(value), lost }
    })
}

const blocks = (...content: object[]): Messages => [
  { role: 'user', content: 'Größe?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'search', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] },
]
const call = { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'f', input: {} } }] }
const answer = { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'x' }] } }] }

const kept: readonly (readonly [string, string, Messages, readonly string[]])[] = [
  [
    'a search result',
    'anthropic-messages',
    blocks({
      type: 'search_result',
      source: 'https://a.example',
      title: 'A title',
      content: [{ type: 'text', text: 'Found: 3 µm' }],
    }),
    ['Found: 3 µm', 'A title', 'https://a.example'],
  ],
  [
    'a block of an unknown type in a result',
    'anthropic-messages',
    blocks({ type: 'tool_reference', tool_name: 'lookup' }),
    ['lookup'],
  ],
  [
    'a document of text with title and context',
    'anthropic-messages',
    blocks({
      type: 'document',
      title: 'A title',
      context: 'From 2026',
      source: { type: 'text', media_type: 'text/plain', data: 'Words' },
    }),
    ['A title', 'From 2026', 'Words'],
  ],
  [
    'a refusal beside the content',
    'openai-chat',
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }] },
      { role: 'assistant', content: null, refusal: 'I cannot do that.' },
      { role: 'tool', tool_call_id: 'c', content: 'out' },
    ],
    ['I cannot do that.'],
  ],
  [
    'text with citations',
    'bedrock-converse',
    [
      { role: 'user', content: [{ text: 'q' }] },
      call,
      answer,
      { role: 'assistant', content: [{ citationsContent: { content: [{ text: 'Cited words' }], citations: [] } }] },
      {
        role: 'user',
        content: [
          { guardContent: { text: { text: 'Guarded words' } } },
          { cachePoint: { type: 'default', ttl: '1h' } },
        ],
      },
    ],
    ['Cited words', 'Guarded words'],
  ],
  [
    'code that the provider ran',
    'gemini',
    [
      { role: 'user', parts: [{ text: 'q' }] },
      {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'forty-two' } },
        ],
      },
      { role: 'user', parts: [{ text: 'go' }] },
    ],
    ['print(6*7)', 'forty-two'],
  ],
]

describe('words stay', () => {
  it.each(kept)('%s', (_name, source, history, words) => {
    for (const { to, text } of converted(source, history)) {
      for (const word of words) expect(text, to).toContain(word)
      expect(text, to).not.toMatch(/cachePoint|left out/)
    }
  })
})

describe('media keeps its kind', () => {
  const noImage = /"image_url":|"type":"image"|"input_image"|"image":\{/

  it('a linked document is not an image', () => {
    const history = [
      {
        role: 'user',
        content: [
          { type: 'input_file', file_url: 'https://a.example/paper.pdf?v=1' },
          { type: 'input_file', file_url: 'https://a.example/paper' },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ]
    for (const { to, text, lost } of converted('openai-responses', history)) {
      expect(text, to).not.toMatch(noImage)
      expect(text, to).toContain('[file at https://a.example/paper left out')
      expect(lost, to).toContain('file')
    }
    expect(converted('openai-responses', history).find(({ to }) => to === 'anthropic-messages')!.text).toContain(
      '{"type":"document","source":{"type":"url","url":"https://a.example/paper.pdf?v=1"}}',
    )
  })

  it('a video and a file that only Google can read are not images', () => {
    const uploaded = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
    const history = [
      {
        role: 'user',
        parts: [
          { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } },
          { fileData: { fileUri: uploaded, mimeType: 'image/png' } },
        ],
      },
      { role: 'model', parts: [{ text: 'a' }] },
      { role: 'user', parts: [{ text: 'go' }] },
    ]
    for (const { to, text, lost } of converted('gemini', history)) {
      expect(text, to).not.toMatch(noImage)
      expect(text, to).toContain(`[image/png at ${uploaded} left out`)
      expect(lost, to).toBe('file, image/png')
    }
  })

  it('a generated image is not written as text', () => {
    const history = [
      { role: 'user', content: 'Draw.' },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'QUJDREVG' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ]
    for (const { to, text, lost } of converted('openai-responses', history)) {
      // Where a message of the assistant can hold an image, it stays one.
      const isKept = text.includes('"data":"QUJDREVG"') || text.includes('"bytes":"QUJDREVG"')
      expect(isKept, to).toBe(to === 'gemini' || to === 'bedrock-converse')
      if (!isKept) expect(text, to).not.toContain('QUJDREVG')
      expect(lost.includes('image/png'), to).toBe(!isKept)
    }
  })
})

it('reasoning outside the content of a chat message is reported as lost', () => {
  const history = [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: 'a',
      reasoning: 'Hm.',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'out' },
  ]
  for (const { to, lost } of converted('openai-chat', history))
    expect(lost, to).toContain('reasoning, reasoning_details')
})
