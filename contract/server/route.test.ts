import { expect, test } from 'vitest'
import { route } from './route.ts'

const cases: Readonly<Record<string, object | undefined>> = {
  '/v1/messages': { provider: 'anthropic', endpoint: 'messages' },
  '/v1/chat/completions': { provider: 'openai', endpoint: 'chat' },
  '/v1/responses': { provider: 'openai-responses', endpoint: 'responses' },
  '/openai/v1/chat/completions': { provider: 'openai', endpoint: 'chat' },
  '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21': {
    provider: 'azure',
    endpoint: 'chat',
    model: 'my gpt',
  },
  '/azure/openai/v1/responses': { provider: 'azure', endpoint: 'responses' },
  '/v1beta/models/gemini-3-pro:generateContent': {
    provider: 'gemini',
    endpoint: 'gemini',
    model: 'gemini-3-pro',
    stream: false,
  },
  '/v1beta/models/gemini-3-pro:streamGenerateContent': { stream: true, framing: 'array' },
  '/v1/models/gemini-3-pro:streamGenerateContent?alt=sse': { stream: true, framing: 'sse' },
  '/v1/projects/p/locations/global/publishers/google/models/gemini-3-pro:generateContent': {
    provider: 'vertex',
    endpoint: 'gemini',
  },
  '/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-4-5@20251101:streamRawPredict': {
    provider: 'vertex',
    endpoint: 'messages',
    model: 'claude-opus-4-5@20251101',
    stream: true,
  },
  '/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-4-5:rawPredict': { stream: false },
  '/model/us.amazon.nova-pro-v1%3A0/converse': {
    provider: 'bedrock',
    endpoint: 'converse',
    model: 'us.amazon.nova-pro-v1:0',
    stream: false,
  },
  '/model/us.amazon.nova-pro-v1%3A0/converse-stream': { stream: true, framing: 'eventstream' },
  '/zhipu/api/paas/v4/chat/completions': { provider: 'zhipu', endpoint: 'chat' },
  '/groq/openai/v1/chat/completions': { provider: 'groq', endpoint: 'chat' },
  '/deepseek/anthropic/v1/messages': { provider: 'deepseek', endpoint: 'messages' },
  '/': undefined,
  '/v1/models': undefined,
  '/v1beta/models/gemini-3-pro:countTokens': undefined,
}

test.each(Object.entries(cases))('%s', (path, expected) => {
  if (expected) expect(route(path, undefined)).toMatchObject(expected)
  else expect(route(path, undefined)).toBeUndefined()
})

test('a named provider wins over the path', () => {
  expect(route('/groq/openai/v1/chat/completions', 'xai')?.provider).toBe('xai')
})

test('a path of Azure with its header is not taken for OpenAI', () => {
  expect(route('/openai/v1/chat/completions', undefined, { 'api-key': 'k' })?.provider).toBe('azure')
})
