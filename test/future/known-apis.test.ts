/**
 * Requests of recent APIs that look broken and are not, as the vendors' own SDKs send them: they reach the contract with
 * the bytes that the SDK wrote.
 */
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startContract } from '../../contract/server/server.ts'
import { guard } from '../../src/guard/index.ts'

let contract: Awaited<ReturnType<typeof startContract>>
beforeAll(async () => {
  contract = await startContract()
})
afterAll(() => contract.close())

/** The guard over the real `fetch`, with what it was given. */
function guarded() {
  const given: string[] = []
  const inner = guard()
  const ask: typeof fetch = (input, init) => {
    if (typeof init?.body === 'string') given.push(init.body)
    return inner(input, init)
  }
  return { given, ask }
}

/** All requests of a test were accepted with the bytes that the client wrote. */
function expectUnchanged(given: readonly string[], from: number): void {
  const seen = contract.requests.slice(from)
  expect(seen.map(({ verdict }) => (verdict?.accepted ? 'accepted' : verdict))).toEqual(seen.map(() => 'accepted'))
  expect(seen.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(given)
}

function anthropic(ask: typeof fetch): Anthropic {
  return new Anthropic({ apiKey: 'none', baseURL: contract.url, maxRetries: 0, fetch: ask })
}

const tool = { name: 'weather', input_schema: { type: 'object' as const } }

it('a message thread: the second turn has a result alone, and may have nothing', async () => {
  const { given, ask } = guarded()
  const from = contract.requests.length
  contract.script(
    { calls: [{ name: 'weather', arguments: { city: 'Oslo' }, id: 'toolu_1' }] },
    { text: 'Sunny.' },
    { text: 'Still sunny.' },
  )
  const thread = anthropic(ask).beta.messages.thread({ model: 'claude-opus-4-5', max_tokens: 64, tools: [tool] })
  await thread.send({ role: 'user', content: 'How is the weather?' })
  const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'sun' }
  await thread.send({ role: 'user', content: [result] })
  const last = await thread.stream({ role: 'user', content: 'And now?' }).finalMessage()
  expect(last.content).toMatchObject([{ type: 'text', text: 'Still sunny.' }])
  expect(JSON.parse(given[1]!)).toMatchObject({ thread: { type: 'continue' }, messages: [{ content: [result] }] })
  expectUnchanged(given, from)
})

it('a thread that is gone: the rejection goes to the SDK, which sends the whole history again', async () => {
  const { given, ask } = guarded()
  contract.script({ text: 'One.' }, { text: 'Two.' })
  const thread = anthropic(ask).beta.messages.thread({ model: 'claude-opus-4-5', max_tokens: 64 })
  await thread.send({ role: 'user', content: 'One?' })
  const other = anthropic(ask)
  const lost = other.beta.messages.create({
    model: 'claude-opus-4-5',
    max_tokens: 64,
    thread: { type: 'continue', previous_message_id: 'msg_none' },
    messages: [{ role: 'user', content: 'Two?' }],
    betas: ['message-threads-2026-08-12'],
  })
  await expect(lost).rejects.toThrow('thread was not found')
  expect(contract.requests.at(-1)!.verdict?.accepted).toBe(false)
  expect(new TextDecoder().decode(contract.requests.at(-1)!.bytes)).toBe(given.at(-1))
})

it('a signed summary stays the first message', async () => {
  const { given, ask } = guarded()
  const from = contract.requests.length
  await anthropic(ask).beta.messages.create({
    model: 'claude-opus-4-5',
    max_tokens: 64,
    betas: ['compact-2026-09-04'],
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'compaction', content: 'They asked for the weather.', signature: 'c2ln' }],
      },
      { role: 'user', content: 'And now?' },
    ],
  })
  expectUnchanged(given, from)
})

it('a change of the tools keeps its place, and a message of the system may have settings alone', async () => {
  const { given, ask } = guarded()
  const from = contract.requests.length
  await anthropic(ask).beta.messages.create({
    model: 'claude-opus-4-8',
    max_tokens: 64,
    betas: ['mid-conversation-tool-changes-2026-07-01', 'mid-conversation-output-config-2026-07-01'],
    tools: [tool],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'weather' } }] },
      { role: 'user', content: 'And now?' },
      { role: 'system', output_config: { effort: 'low' } },
    ],
  })
  expectUnchanged(given, from)
})

/** Newer than the types of the installed SDK. */
type Input = OpenAI.Responses.ResponseInputItem[]

it.each([
  [
    'an asynchronous call that is still open',
    [
      { role: 'user', content: 'Start it.' },
      { type: 'function_call', call_id: 'call_1', name: 'build', arguments: '{}', async: true },
      { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_2', output: 'fine' },
      { role: 'user', content: 'And now?' },
    ],
  ],
  [
    'an output that names its tool',
    [
      { role: 'user', content: 'Go on.' },
      { type: 'function_call_output', name: 'inbox', namespace: 'mail', output: 'two new mails' },
      { role: 'user', content: 'And now?' },
    ],
  ],
])('Responses: %s', async (_name, input) => {
  const { given, ask } = guarded()
  const from = contract.requests.length
  const client = new OpenAI({ apiKey: 'none', baseURL: `${contract.url}/v1`, maxRetries: 0, fetch: ask })
  await client.responses.create({ model: 'gpt-5.4', input: input as unknown as Input })
  expectUnchanged(given, from)
})

it('Google ADK with streaming: text and call of the model in two contents', async () => {
  const { given, ask } = guarded()
  const from = contract.requests.length
  const real = globalThis.fetch
  // This SDK takes no `fetch` of its own.
  globalThis.fetch = ask
  try {
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: contract.url } })
    await client.models.generateContent({
      model: 'gemini-2.5-flash',
      contents: [
        { role: 'user', parts: [{ text: 'How is the weather?' }] },
        { role: 'model', parts: [{ text: 'I look.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'sun' } } }] },
      ],
    })
  } finally {
    globalThis.fetch = real
  }
  expectUnchanged(given, from)
})
