/**
 * Requests as pi builds them from a session whose result came late: a made-up result, and the real one without a call.
 * The contract rejects them.
 */
import { expect, it } from 'vitest'
import { contractFetch } from '../../contract/index.ts'
import suture, { type PiModel, repairPayload } from '../../src/integrations/pi.ts'

const MODELS = {
  anthropic: { id: 'claude-sonnet-4-5', api: 'anthropic-messages', baseUrl: 'https://api.anthropic.com' },
  openai: { id: 'gpt-4.1', api: 'openai-completions', baseUrl: 'https://api.openai.com/v1' },
  gemini: { id: 'gemini-2.5-flash', api: 'google-generative-ai', baseUrl: 'https://generativelanguage.googleapis.com' },
} satisfies Record<string, PiModel>

const chatCall = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }
const CASES = [
  {
    provider: 'anthropic' as const,
    url: 'https://api.anthropic.com/v1/messages',
    payload: {
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'No result provided' }] },
        { role: 'assistant', content: 'Hm.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The real text.' }] },
      ],
    },
  },
  {
    provider: 'openai' as const,
    url: 'https://api.openai.com/v1/chat/completions',
    payload: {
      model: 'gpt-4.1',
      messages: [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { role: 'user', content: 'Hello?' },
        { role: 'tool', tool_call_id: 'call_1', content: 'The real text.' },
      ],
    },
  },
  {
    provider: 'gemini' as const,
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    payload: {
      contents: [
        { role: 'user', parts: [{ text: 'Read it.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
        { role: 'user', parts: [{ text: 'Hello?' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'The real text.' } } }] },
      ],
    },
  },
]

it.each(CASES)('repairs what $provider rejects, once', async ({ provider, url, payload }) => {
  const contract = contractFetch({ provider })
  const status = async (body: unknown) => (await contract(url, { method: 'POST', body: JSON.stringify(body) })).status
  expect(await status(payload)).toBe(400)
  const now = repairPayload(payload, MODELS[provider])
  expect(await status(now)).toBe(200)
  expect(JSON.stringify(now)).toContain('The real text.')
  expect(repairPayload(now, MODELS[provider])).toBeUndefined()
})

it('registers for each request, and passes on what it does not know', () => {
  const handlers: ((event: { payload: unknown }, context: { model?: PiModel }) => unknown)[] = []
  suture({ on: (_event, handler) => void handlers.push(handler) })
  const [handler] = handlers
  expect(handler?.({ payload: CASES[0]!.payload }, { model: MODELS.anthropic })).toBeDefined()
  for (const [payload, model] of [
    [CASES[0]!.payload, undefined],
    [CASES[0]!.payload, { ...MODELS.anthropic, api: 'some-new-api' }],
    ['text', MODELS.anthropic],
    [{ model: 'x' }, MODELS.anthropic],
  ] as const)
    expect(handler?.({ payload }, model ? { model } : {})).toBeUndefined()
})
