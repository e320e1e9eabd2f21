import type { Endpoint } from '../../judge.ts'
import { DEFAULT_PROVIDER, PROVIDERS } from '../providers.ts'

/** One request: a path and a body that are valid for the provider. */
export interface Way {
  readonly provider: string
  readonly endpoint: Endpoint
  readonly stream: boolean
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Every provider at every endpoint it serves, streaming and not. */
export function ways(prompt = 'Hello'): Way[] {
  return PROVIDERS.flatMap((provider) =>
    endpointsOf(provider).flatMap((endpoint) =>
      [false, true].map((stream) => ({
        provider,
        endpoint,
        stream,
        path: `/${provider}${PATHS[endpoint](stream)}`,
        body: BODIES[endpoint](prompt, stream),
      })),
    ),
  )
}

/** The request of one provider, or of the default provider of an endpoint. */
export function way(endpoint: Endpoint, stream: boolean, prompt?: string, provider = DEFAULT_PROVIDER[endpoint]): Way {
  const found = ways(prompt).find(
    (one) => one.endpoint === endpoint && one.stream === stream && one.provider === provider,
  )
  if (!found) throw new Error(`No way to ${provider} at ${endpoint}.`)
  return found
}

export function request(way: Way, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(way.body),
  }
}

/** Everything that arrived before the end, and how it ended. */
export async function taken(response: Response): Promise<{ bytes: Uint8Array; text: string; broken: boolean }> {
  const chunks: Uint8Array[] = []
  let broken = false
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array)
  } catch {
    broken = true
  }
  const bytes = new Uint8Array(Buffer.concat(chunks))
  return { bytes, text: new TextDecoder().decode(bytes), broken }
}

function endpointsOf(provider: string): readonly Endpoint[] {
  switch (provider) {
    case 'anthropic':
      return ['messages']
    case 'openai-responses':
      return ['responses']
    case 'openai':
    case 'azure':
      return ['chat', 'responses']
    case 'copilot':
    case 'openrouter':
      return ['chat', 'responses', 'messages']
    case 'gemini':
      return ['gemini']
    case 'vertex':
      return ['gemini', 'messages']
    case 'bedrock':
      return ['converse']
    default:
      return ['chat']
  }
}

const PATHS: Readonly<Record<Endpoint, (stream: boolean) => string>> = {
  messages: () => '/v1/messages',
  chat: () => '/v1/chat/completions',
  responses: () => '/v1/responses',
  gemini: (stream) => `/v1beta/models/gemini-2.5-flash:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  converse: (stream) => `/model/anthropic.claude-v2/converse${stream ? '-stream' : ''}`,
}

const BODIES: Readonly<Record<Endpoint, (prompt: string, stream: boolean) => Record<string, unknown>>> = {
  messages: (content, stream) => ({
    model: 'claude-opus-4-5',
    max_tokens: 100,
    stream,
    messages: [{ role: 'user', content }],
    tools: [{ name: 'weather', input_schema: SCHEMA }],
  }),
  chat: (content, stream) => ({
    model: 'some-model',
    stream,
    messages: [{ role: 'user', content }],
    tools: [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }],
  }),
  responses: (input, stream) => ({
    model: 'gpt-5',
    stream,
    input,
    tools: [{ type: 'function', name: 'weather', parameters: SCHEMA }],
  }),
  gemini: (text) => ({
    contents: [{ role: 'user', parts: [{ text }] }],
    tools: [{ functionDeclarations: [{ name: 'weather', parameters: SCHEMA }] }],
  }),
  converse: (text) => ({
    messages: [{ role: 'user', content: [{ text }] }],
    toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: SCHEMA } } }] },
  }),
}
