import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseStreamCommand, ThrottlingException } from '@aws-sdk/client-bedrock-runtime'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, expect, test } from 'vitest'
import type { Fault } from '../faults.ts'
import { contractFetch } from '../fetch.ts'
import { startContract } from '../server.ts'
import { rejection } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const messages = [{ role: 'user' as const, content: 'x' }]
const text = 'a text of a few chunks'

const openai = (options: object = {}) =>
  new OpenAI({ apiKey: 'none', baseURL: `${contract.url}/v1`, maxRetries: 0, ...options })
const anthropic = (options: object = {}) =>
  new Anthropic({ apiKey: 'none', baseURL: contract.url, maxRetries: 0, ...options })

async function drained(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of stream) events.push(event)
  return events
}

const openaiStream = async (fault: Fault) => {
  contract.script({ text, chunkBytes: 4, fault })
  return drained(await openai().chat.completions.create({ model: 'gpt-4o', messages, stream: true }))
}
const anthropicStream = async (fault: Fault) => {
  contract.script({ text, chunkBytes: 4, fault })
  return drained(
    await anthropic().messages.create({ model: 'claude-opus-4-5', max_tokens: 100, messages, stream: true }),
  )
}

test('a cut stream breaks the stream of the client', async () => {
  expect(await rejection(openaiStream('cut-after-events=3'))).toBeInstanceOf(Error)
  expect(await rejection(anthropicStream('cut-in-arguments'))).toBeInstanceOf(Error)
})

test('a stream that ends too early does not: the client sees fewer events and no end', async () => {
  expect(await openaiStream('end-after-events=3')).toHaveLength(3)
  const events = await anthropicStream('end-after-events=5')
  expect(events.map((event) => (event as { type: string }).type)).not.toContain('message_stop')
})

test('an error in mid-stream is an APIError of the client', async () => {
  const fromOpenAI = await rejection(openaiStream('error-event'))
  expect(fromOpenAI).toBeInstanceOf(OpenAI.APIError)
  expect(fromOpenAI).toMatchObject({ type: 'service_unavailable_error' })
  const fromAnthropic = await rejection(anthropicStream('error-event'))
  expect(fromAnthropic).toBeInstanceOf(Anthropic.APIError)
  expect((fromAnthropic as Error).message).toContain('overloaded_error')
})

test('Responses: a failed response comes as an event', async () => {
  contract.script({ text, fault: 'error-event' })
  const events = await drained(await openai().responses.create({ model: 'gpt-5', input: 'x', stream: true }))
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: { error: { code: 'server_is_overloaded' } },
  })
})

test('Gemini: an error in mid-stream is an ApiError', async () => {
  contract.script({ text, chunkBytes: 4, fault: 'error-event' })
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: contract.url } })
  const emulator = client.models.generateContentStream({ model: 'gemini-2.5-flash', contents: 'x' }).then(drained)
  expect(await rejection(emulator)).toBeInstanceOf(ApiError)
})

test('Bedrock: an exception in mid-stream is thrown as its class', async () => {
  contract.script({ text, fault: ['error-event', 'status=429'] })
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const client = new BedrockRuntimeClient({ region: 'eu-west-1', endpoint: contract.url, credentials, maxAttempts: 1 })
  const emulator = client
    .send(
      new ConverseStreamCommand({
        modelId: 'amazon.nova-pro-v1:0',
        messages: [{ role: 'user', content: [{ text: 'x' }] }],
      }),
    )
    .then(({ stream }) => drained(stream ?? (async function* () {})()))
  expect(await rejection(emulator)).toBeInstanceOf(ThrottlingException)
  client.destroy()
})

test('the clients wait for retry-after and try again', async () => {
  const before = contract.requests.length
  contract.script({ fault: ['status=429', 'retry-after=0'] }, { text: 'now' })
  const answer = await openai({ maxRetries: 1 }).chat.completions.create({ model: 'gpt-4o', messages })
  expect(answer.choices[0]?.message.content).toBe('now')
  contract.script({ fault: ['status=529', 'retry-after=0'] }, { text: 'now' })
  const body = { model: 'claude-opus-4-5', max_tokens: 100, messages }
  expect((await anthropic({ maxRetries: 1 }).messages.create(body)).content).toMatchObject([{ text: 'now' }])
  const statuses = contract.requests.slice(before).map((record) => record.answer.status)
  expect(statuses).toEqual([429, 200, 529, 200])
})

test.each([
  [{ fault: 'status=429' as const }, OpenAI.RateLimitError],
  [{ fault: 'status=500' as const }, OpenAI.InternalServerError],
  [{ fault: 'empty=400' as const }, OpenAI.BadRequestError],
])('%o', async (step, kind) => {
  contract.script(step)
  expect(await rejection(openai().chat.completions.create({ model: 'gpt-4o', messages }))).toBeInstanceOf(kind)
})

test('a first byte that is too slow is a timeout of the client', async () => {
  contract.script({ fault: 'slow-first-byte=600000' })
  const emulator = openai({ timeout: 20 }).chat.completions.create({ model: 'gpt-4o', messages })
  expect(await rejection(emulator)).toBeInstanceOf(OpenAI.APIConnectionTimeoutError)
})

test('the fetch works in a client, also with cuts', async () => {
  const emulator = contractFetch({ script: [{ text, fault: 'cut-after-events=2' }, { text: 'whole' }] })
  const client = openai({ baseURL: 'http://nowhere/v1', fetch: emulator })
  const cut = client.chat.completions.create({ model: 'gpt-4o', messages, stream: true }).then(drained)
  expect(await rejection(cut)).toBeInstanceOf(TypeError)
  const answer = await client.chat.completions.create({ model: 'gpt-4o', messages })
  expect(answer.choices[0]?.message.content).toBe('whole')
  expect(emulator.requests.map((record) => record.answer.ending)).toEqual(['cut', 'end'])
})
