import { expect, test } from 'vitest'
import type { Endpoint } from '../judge.ts'
import { contractFetch } from './fetch.ts'
import { request, taken, way } from './testing/ways.ts'

const LONG = 'word '.repeat(1_000)

/** Text and status of each provider if 5,000 bytes do not fit into 1,000 tokens. */
const cases: readonly (readonly [provider: string, endpoint: Endpoint, status: number, text: RegExp])[] = [
  ['anthropic', 'messages', 400, /^prompt is too long: \d+ tokens > 1000 maximum$/],
  ['openai', 'chat', 400, /maximum context length is 1000 tokens. However, your messages resulted in \d+ tokens/],
  ['openai-responses', 'responses', 400, /^Your input exceeds the context window of this model/],
  ['azure', 'chat', 400, /maximum context length is 1000 tokens/],
  ['gemini', 'gemini', 400, /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(1000\)\.$/],
  ['bedrock', 'converse', 400, /^Input is too long for requested model\.$/],
  ['mistral', 'chat', 400, /^Prompt contains \d+ tokens.*too large for model with 1000 maximum context length$/],
  ['deepseek', 'chat', 400, /maximum context length is 1000 tokens/],
  ['moonshot', 'chat', 400, /exceeded model token limit: 1000 \(requested: \d+\)$/],
  ['dashscope', 'chat', 400, /Range of input length should be \[1, 1000\]$/],
  ['xai', 'chat', 400, /maximum prompt length is 1000 but the request contains \d+ tokens$/],
  ['groq', 'chat', 413, /^Request too large for model `some-model`.*Limit 1000, Requested \d+,/],
  ['perplexity', 'chat', 400, /maximum context length is 1000 tokens/],
  ['openrouter', 'chat', 400, /use the "middle-out" transform/],
  ['copilot', 'chat', 400, /^prompt token count of \d+ exceeds the limit of 1000$/],
  ['llamacpp', 'chat', 400, /^the request exceeds the available context size, try increasing it$/],
  ['vllm', 'chat', 400, /maximum context length is 1000 tokens. However, your request has \d+ input tokens/],
  ['ollama', 'chat', 400, /^prompt too long; exceeded max context length by \d+ tokens$/],
  ['vertex', 'messages', 400, /prompt is too long: \d+ tokens > 1000 maximum/],
]

test.each(cases)('%s at %s', async (provider, endpoint, status, text) => {
  const emulator = contractFetch({ tokenLimit: 1_000 })
  const send = (prompt: string) => {
    const one = way(endpoint, false, prompt, provider)
    return emulator(`http://a${one.path}`, request(one))
  }
  expect((await send('short')).status).toBe(200)
  const response = await send(LONG)
  expect(response.status).toBe(status)
  const body = (await response.json()) as { message?: string; error?: string | { message: string } }
  const message = body.message ?? (typeof body.error === 'string' ? body.error : body.error?.message)
  expect(message).toMatch(text)
})

test('Responses reports it inside a stream that began well', async () => {
  const emulator = contractFetch({ tokenLimit: 1_000 })
  const one = way('responses', true, LONG)
  const response = await emulator(`http://a${one.path}`, request(one))
  expect(response.status).toBe(200)
  const names = (await taken(response)).text.match(/^event: .*$/gm)
  expect(names).toEqual(['event: response.created', 'event: response.in_progress', 'event: error'])
})

test('Cerebras sends no text', async () => {
  const emulator = contractFetch({ tokenLimit: 1_000 })
  const one = way('chat', false, LONG, 'cerebras')
  const response = await emulator(`http://a${one.path}`, request(one))
  expect([response.status, await response.text()]).toEqual([400, ''])
})

test('z.ai accepts it and stops with its own reason', async () => {
  const emulator = contractFetch({ tokenLimit: 1_000 })
  const one = way('chat', false, LONG, 'zhipu')
  const body = JSON.parse(await (await emulator(`http://a${one.path}`, request(one))).text())
  expect(body.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'model_context_window_exceeded' })
})

test('MiMo cuts it and has no room for an answer', async () => {
  const emulator = contractFetch({ tokenLimit: 1_000 })
  const one = way('chat', false, LONG, 'mimo')
  const response = await emulator(`http://a${one.path}`, request(one))
  const body = JSON.parse(await response.text())
  expect(response.status).toBe(200)
  expect(body.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' })
  expect(body.usage.completion_tokens).toBe(0)
})

test('a fault can set the limit for one request', async () => {
  const emulator = contractFetch({ script: [{ fault: 'overflow=10' }, { fault: 'overflow' }, { text: 'fits' }] })
  const one = way('chat', false)
  const send = async () => (await emulator(`http://a${one.path}`, request(one))).status
  expect([await send(), await send(), await send()]).toEqual([400, 400, 200])
})
