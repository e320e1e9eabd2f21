/**
 * One way to ask each provider, with its official client: a history of a kind, and the text that came.
 */
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { FetchHttpHandler } from '@smithy/fetch-http-handler'
import OpenAI from 'openai'
import { type Way as Emulated, ways as emulated } from '../contract/server/testing/ways.ts'
import { parseHistory } from '../src/testing/index.ts'

export type Way = Pick<Emulated, 'provider' | 'endpoint' | 'stream'>

type Kind = 'valid' | 'broken' | 'long'
export type Client = (kind: Kind, say: (text: string) => void) => Promise<void>

/** All that the contract emulates. `openai-responses` is another name for OpenAI at that endpoint. */
export const ways: readonly Way[] = emulated().filter(({ provider }) => provider !== 'openai-responses')

const LONG = 'A line of what the tool has found, and it has found a lot of it. '.repeat(600)
const HISTORIES: Readonly<Record<Kind, string>> = {
  valid: 'user: what is the weather in Oslo?',
  broken: 'user: weather?\nassistant: call abc123def weather\nuser: are you still there?',
  long: `user: weather?\nassistant: call abc123def weather\ntool: result abc123def ${LONG}\nassistant: I see.\nuser: so?`,
}
const DIALECTS = {
  messages: 'anthropic-messages',
  chat: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock-converse',
} as const
const BASE = 'http://contract.test'

// biome-ignore lint/suspicious/noExplicitAny: histories come as JSON, and each client has types of its own for them.
type Loose = any

export function clientAt(way: Way, ask: typeof fetch): Client {
  const history = (kind: Kind): Loose => parseHistory(HISTORIES[kind], DIALECTS[way.endpoint])
  return (kind, say) => CLIENTS[way.endpoint](way, ask, history(kind), (text) => say(text ?? ''))
}

type Asking = (way: Way, ask: typeof fetch, history: Loose, say: (text?: string | null) => void) => Promise<void>

const TOOL = { type: 'object', properties: { city: { type: 'string' } } } as const

const CLIENTS: Readonly<Record<Way['endpoint'], Asking>> = {
  async messages({ provider, stream }, ask, messages, say) {
    const client = new Anthropic({ apiKey: 'none', baseURL: `${BASE}/${provider}`, maxRetries: 0, fetch: ask })
    const tools = [{ name: 'weather', input_schema: TOOL }]
    const body: Loose = { model: 'claude-opus-4-5', max_tokens: 100, messages, tools }
    if (stream) {
      const events = client.messages.stream(body).on('text', (text) => say(text))
      await events.finalMessage()
    } else for (const block of (await client.messages.create(body)).content as Loose[]) say(block.text)
  },
  async chat({ provider, stream }, ask, messages, say) {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${BASE}/${provider}/v1`, maxRetries: 0, fetch: ask })
    const tools = [{ type: 'function', function: { name: 'weather', parameters: TOOL } }]
    const body: Loose = { model: 'some-model', messages, tools, stream }
    if (!stream) say((await client.chat.completions.create(body)).choices[0]?.message.content)
    else
      for await (const chunk of (await client.chat.completions.create(body)) as Loose)
        say(chunk.choices[0]?.delta?.content)
  },
  async responses({ provider, stream }, ask, input, say) {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${BASE}/${provider}/v1`, maxRetries: 0, fetch: ask })
    const tools = [{ type: 'function', name: 'weather', parameters: TOOL }]
    const body: Loose = { model: 'gpt-5', input, tools, store: false }
    if (stream) {
      const events = client.responses.stream(body).on('response.output_text.delta', ({ delta }) => say(delta))
      const { status } = await events.finalResponse()
      if (status !== 'completed') throw new Error(`The response is ${status}.`)
    } else say((await client.responses.create(body)).output_text)
  },
  async gemini({ provider, stream }, ask, contents, say) {
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${BASE}/${provider}` } })
    const tools = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: TOOL }] }]
    const body: Loose = { model: 'gemini-2.5-flash', contents, config: { tools } }
    await withGlobal(ask, async () => {
      if (!stream) say((await client.models.generateContent(body)).text)
      else for await (const chunk of await client.models.generateContentStream(body)) say(chunk.text)
    })
  },
  async converse({ provider, stream }, ask, messages, say) {
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      endpoint: `${BASE}/${provider}`,
      token: { token: 'none' },
      authSchemePreference: ['httpBearerAuth'],
      maxAttempts: 1,
      requestHandler: new FetchHttpHandler(),
    })
    const toolConfig = { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: TOOL } } }] }
    const body: Loose = { modelId: 'anthropic.claude-3-5-sonnet-20240620-v1:0', messages, toolConfig }
    await withGlobal(ask, async () => {
      if (!stream) return say(((await client.send(new ConverseCommand(body))).output as Loose).message.content[0].text)
      const events = (await client.send(new ConverseStreamCommand(body))).stream!
      for await (const event of events) say(event.contentBlockDelta?.delta?.text)
    })
  },
}

/** For clients without a `fetch` option: the guard replaces the global one. */
async function withGlobal(ask: typeof fetch, work: () => Promise<void>): Promise<void> {
  const before = globalThis.fetch
  globalThis.fetch = ask
  try {
    await work()
  } finally {
    globalThis.fetch = before
  }
}
