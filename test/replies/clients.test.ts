/**
 * A stream that ends with our failure makes the vendors' own libraries throw.
 */

import { createServer, type Server } from 'node:http'
import { createServer as createServer2, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { type LanguageModel, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONTENT_TYPES } from '../../contract/server/frames.ts'
import { rejection } from '../../contract/server/testing/tools.ts'
import { replies } from '../../src/dialects/replies/index.ts'
import { bytesOf, type Place, places, read, scripts } from './fake-provider.ts'

const servers: { close(): void }[] = []
let address: string
/** Amazon's client uses HTTP/2 for any server. */
let address2: string

beforeAll(async () => {
  address = await listening(createServer(answer))
  address2 = await listening(createServer2((request, response) => answer(request, response)))
})

afterAll(() => {
  for (const server of servers) server.close()
})

async function listening(server: Server | Http2Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Answering {
  setHeader(name: string, value: string): unknown
  write(bytes: Uint8Array): boolean
  end(bytes: Uint8Array): unknown
}

/** Answers every request with the beginning of an answer and our failure. */
function answer(request: Readable & { url?: string | undefined }, response: Answering): void {
  const place = placeOf(String(request.url))
  response.setHeader('content-type', CONTENT_TYPES[place.ask.framing])
  request.resume().on('end', () => {
    for (const bytes of begun(place)) response.write(bytes)
    response.end(failureOf(place))
  })
}

it('OpenAI chat', async () => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${address}/v1`, maxRetries: 0 })
  const stream = await client.chat.completions.create({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'x' }],
  })
  const { seen, error } = await drained(stream)
  expect(seen).toBeGreaterThan(0)
  expect(error).toMatchObject({
    constructor: OpenAI.APIError,
    message: expect.stringContaining('The upstream went away.'),
  })
})

it('OpenAI Responses', async () => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${address}/v1`, maxRetries: 0 })
  const stream = await client.responses.create({ model: 'm', stream: true, input: 'x' })
  const { seen, error } = await drained(stream)
  expect(seen).toBeGreaterThan(0)
  expect(error).toMatchObject({
    constructor: OpenAI.APIError,
    message: expect.stringContaining('The upstream went away.'),
  })
})

it('Anthropic', async () => {
  const client = new Anthropic({ apiKey: 'k', baseURL: address, maxRetries: 0 })
  const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] })
  const error = await rejection(stream.finalMessage())
  expect(error).toMatchObject({ message: expect.stringContaining('The upstream went away.') })
})

it('Google', async () => {
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: address } })
  const stream = await client.models.generateContentStream({ model: 'gemini-3-pro', contents: 'x' })
  const { error } = await drained(stream)
  expect(error).toMatchObject({ status: 503, message: expect.stringContaining('The upstream went away.') })
})

it('Bedrock', async () => {
  const client = new BedrockRuntimeClient({
    endpoint: address2,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  })
  const { stream } = await client.send(
    new ConverseStreamCommand({ modelId: 'm', messages: [{ role: 'user', content: [{ text: 'x' }] }] }),
  )
  const { seen, error } = await drained(stream!)
  client.destroy()
  expect(seen).toBeGreaterThan(0)
  expect(error).toMatchObject({ name: 'InternalServerException', message: 'The upstream went away.' })
})

it.each<[string, () => LanguageModel]>([
  ['chat', () => createOpenAI({ apiKey: 'k', baseURL: `${address}/v1` }).chat('m')],
  ['Responses', () => createOpenAI({ apiKey: 'k', baseURL: `${address}/v1` }).responses('m')],
  ['Anthropic', () => createAnthropic({ apiKey: 'k', baseURL: `${address}/v1` })('m')],
  ['Google', () => createGoogleGenerativeAI({ apiKey: 'k', baseURL: address })('gemini-3-pro')],
])('AI SDK, %s', async (_, model) => {
  const { fullStream } = streamText({
    model: model(),
    prompt: 'x',
    maxOutputTokens: 9,
    maxRetries: 0,
    onError: () => {},
  })
  const parts: { type: string }[] = []
  for await (const part of fullStream) parts.push(part)
  expect(parts.map((part) => part.type)).toContain('error')
  const finished = parts.filter((part) => /"finishReason":"(stop|tool-calls)"/.test(JSON.stringify(part)))
  expect(finished).toEqual([])
})

it.each(places.map((place) => [place.name, place] as const))(
  '%s: our own reading takes it for an error',
  (_, place) => {
    const reply = read([...begun(place), failureOf(place)], place)
    expect(reply).toMatchObject({ complete: false, why: 'error', calls: [] })
    expect(JSON.stringify(reply.error)).toContain('The upstream went away.')
  },
)

function begun(place: Place): Uint8Array[] {
  return bytesOf(scripts['reasoning']!, place).slice(0, 4)
}

function failureOf({ dialect, ask }: Place): Uint8Array {
  return replies[dialect]!.failure({ message: 'The upstream went away.' }, ask.framing)
}

function placeOf(url: string): Place {
  const endpoint = /completions/.test(url)
    ? 'chat'
    : /responses/.test(url)
      ? 'responses'
      : /messages/.test(url)
        ? 'messages'
        : /converse/.test(url)
          ? 'converse'
          : 'gemini'
  return places.find((place) => place.ask.endpoint === endpoint)!
}

async function drained(stream: AsyncIterable<unknown>): Promise<{ seen: number; error: unknown }> {
  let seen = 0
  try {
    for await (const _ of stream) seen++
  } catch (error) {
    return { seen, error }
  }
  return { seen, error: undefined }
}
