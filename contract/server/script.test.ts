import { expect, test } from 'vitest'
import type { Endpoint } from '../judge.ts'
import { contractFetch } from './fetch.ts'
import { request, taken, way } from './testing/ways.ts'
import type { Reply } from './types.ts'

async function answerTo(reply: Reply, endpoint: Endpoint, stream: boolean, provider?: string): Promise<string> {
  const emulator = contractFetch({ script: [reply] })
  const one = way(endpoint, stream, undefined, provider)
  return (await taken(await emulator(`http://a${one.path}`, request(one)))).text
}

const eventsIn = (text: string) =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1]
    return data === undefined || data === '[DONE]' ? [] : [JSON.parse(data)]
  })

const full: Reply = {
  reasoning: { text: 'Hm, née?', signature: 'c2lnbmVk' },
  text: 'Déjà vu 🙂',
  calls: [
    { id: 'call_one1', name: 'weather', arguments: { city: 'Zürich' } },
    { id: 'call_two2', name: 'weather', arguments: { city: 'Łódź' } },
  ],
  usage: { input: 11, output: 7, cached: 5, reasoning: 3 },
}

test('Anthropic: thinking with its signature, text, two calls, usage', async () => {
  expect(JSON.parse(await answerTo(full, 'messages', false))).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'Hm, née?', signature: 'c2lnbmVk' },
      { type: 'text', text: 'Déjà vu 🙂' },
      { type: 'tool_use', id: 'call_one1', input: { city: 'Zürich' } },
      { type: 'tool_use', id: 'call_two2', input: { city: 'Łódź' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 5 },
  })
})

test('Anthropic: the events of a stream, in order', async () => {
  const events = eventsIn(await answerTo({ reasoning: 'Hm', text: 'Yes.' }, 'messages', true))
  expect(events.map((event) => event.delta?.type ?? event.type)).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'thinking_delta',
    'signature_delta',
    'content_block_stop',
    'content_block_start',
    'text_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

test('Anthropic: redacted thinking has no text', async () => {
  const reply: Reply = { parts: [{ kind: 'reasoning', text: '', signature: 'b64', redacted: true }] }
  expect(JSON.parse(await answerTo(reply, 'messages', false)).content).toEqual([
    { type: 'redacted_thinking', data: 'b64' },
  ])
})

test('chat: deltas join to the reply, calls by their index, then the usage and [DONE]', async () => {
  const text = await answerTo({ ...full, chunkBytes: 3 }, 'chat', true, 'openrouter')
  expect(text.startsWith(': OPENROUTER PROCESSING\n\n')).toBe(true)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const chunks = eventsIn(text)
  const deltas = chunks.flatMap((chunk) => chunk.choices).map((choice) => choice.delta)
  expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('Déjà vu 🙂')
  expect(deltas.map((delta) => delta.reasoning ?? '').join('')).toBe('Hm, née?')
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? [])
  const json = [0, 1].map((index) =>
    calls.filter((call) => call.index === index).map((call) => call.function.arguments),
  )
  expect(json.map((pieces) => JSON.parse(pieces.join('')))).toEqual([{ city: 'Zürich' }, { city: 'Łódź' }])
  expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls')
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })
})

test.each([
  ['deepseek', { reasoning_content: 'Hm, née?' }],
  ['mistral', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm, née?' }] }, { type: 'text' }] }],
  ['groq', { reasoning: 'Hm, née?' }],
])('chat: how %s shows reasoning', async (provider, message) => {
  expect(JSON.parse(await answerTo(full, 'chat', false, provider)).choices[0].message).toMatchObject(message)
})

test('chat: OpenAI does not show it', async () => {
  const { message } = JSON.parse(await answerTo(full, 'chat', false)).choices[0]
  expect(Object.keys(message)).toEqual(['role', 'content', 'tool_calls'])
})

test('Responses: encrypted reasoning is sent on request', async () => {
  const emulator = contractFetch({ script: [full, full] })
  const one = way('responses', false)
  const open = { ...one, body: { ...one.body, include: ['reasoning.encrypted_content'] } }
  const plain = JSON.parse((await taken(await emulator('http://a/v1/responses', request(one)))).text)
  const encrypted = JSON.parse((await taken(await emulator('http://a/v1/responses', request(open)))).text)
  expect(plain.output[0]).not.toHaveProperty('encrypted_content')
  expect(encrypted.output[0]).toMatchObject({ type: 'reasoning', encrypted_content: 'c2lnbmVk' })
  expect(encrypted.output.map((item: { type: string }) => item.type)).toEqual([
    'reasoning',
    'message',
    'function_call',
    'function_call',
  ])
})

test('Responses: events are numbered, and a reply that was cut short is incomplete', async () => {
  const events = eventsIn(await answerTo({ text: 'and then', stop: 'length' }, 'responses', true))
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  })
})

test('Gemini: the signature is on the first call', async () => {
  const { parts } = JSON.parse(await answerTo(full, 'gemini', false)).candidates[0].content
  expect(parts).toMatchObject([{ thought: true }, {}, { thoughtSignature: 'c2lnbmVk' }, { functionCall: {} }])
  expect(parts[3]).not.toHaveProperty('thoughtSignature')
})

test('Gemini: without alt=sse the stream is one JSON array', async () => {
  const emulator = contractFetch({ script: [{ ...full, chunkBytes: 4 }] })
  const one = way('gemini', true)
  const response = await emulator(`http://a${one.path.replace('?alt=sse', '')}`, request(one))
  expect(response.headers.get('content-type')).toContain('application/json')
  const chunks = JSON.parse((await taken(response)).text)
  expect(chunks.length).toBeGreaterThan(3)
  expect(chunks.at(-1).candidates[0].finishReason).toBe('STOP')
})

test('a reply may have any stop reason', async () => {
  const reply: Reply = { text: '', finish: 'MALFORMED_FUNCTION_CALL' }
  expect(eventsIn(await answerTo(reply, 'gemini', true)).at(-1).candidates[0].finishReason).toBe(
    'MALFORMED_FUNCTION_CALL',
  )
})

test('arguments may be the very characters a script wants', async () => {
  const reply: Reply = { calls: [{ name: 'weather', arguments: '{"city": "Pa' }] }
  const { message } = JSON.parse(await answerTo(reply, 'chat', false)).choices[0]
  expect(message.tool_calls[0].function.arguments).toBe('{"city": "Pa')
})

test('accepted requests use the steps in order, and then the agent answers', async () => {
  const emulator = contractFetch({ script: [{ text: 'one' }] })
  emulator.script((ask) => ({ text: `two for ${ask.provider}` }))
  const one = way('chat', false)
  const texts: string[] = []
  for (let count = 0; count < 3; count++) {
    await emulator('http://a/v1/chat/completions', { method: 'POST', body: '{"messages": []}' })
    const { choices } = JSON.parse((await taken(await emulator(`http://a${one.path}`, request(one)))).text)
    texts.push(choices[0].message.content ?? choices[0].message.tool_calls[0].function.name)
  }
  expect(texts).toEqual(['one', 'two for openai', 'weather'])
})

test('the agent calls all tools in one round if configured, and no tool if tools are disabled', async () => {
  const emulator = contractFetch({ parallelCalls: true })
  const one = way('chat', false)
  const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name } }))
  const ask = async (body: object) => {
    const response = await emulator('http://a/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ ...one.body, ...body }),
    })
    return JSON.parse((await taken(response)).text).choices[0].message
  }
  expect((await ask({ tools })).tool_calls).toHaveLength(3)
  expect((await ask({ tools, tool_choice: { type: 'function', function: { name: 'b' } } })).tool_calls).toHaveLength(1)
  expect((await ask({ tools, tool_choice: 'none' })).content).toBe('You said “Hello”.')
})
