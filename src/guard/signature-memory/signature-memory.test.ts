/** A client that drops reasoning and signatures, with and without the memory, against the contract. */
import { describe, expect, it } from 'vitest'
import { type ContractFetch, contractFetch } from '../../../contract/index.ts'
import type { JsonObject, Reply } from '../../core/index.ts'
import { type GuardEvent, guard } from '../index.ts'
import { SignatureMemory } from './memory.ts'

interface Wire {
  readonly provider: 'anthropic' | 'gemini' | 'openai' | 'deepseek' | 'moonshot' | 'bedrock'
  readonly url: (streams: boolean) => string
  readonly body: (history: readonly unknown[]) => JsonObject
  readonly key: string
  readonly prompt: (text: string) => unknown
  readonly result: (id: string) => unknown
  /** What a client makes of a reply that knows nothing of reasoning. */
  readonly drop: (message: JsonObject) => JsonObject | undefined
  /** What of a reply has to go out again. */
  readonly whole?: (message: JsonObject) => JsonObject
}

const blocks = (message: JsonObject, keep: (block: JsonObject) => boolean, key = 'content') => ({
  ...message,
  [key]: (message[key] as JsonObject[]).filter(keep),
})
const chatTool = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }
const chat = (provider: 'deepseek' | 'moonshot', model: string): Wire => ({
  provider,
  url: () => 'https://example.test/v1/chat/completions',
  body: (messages) => ({ model, messages, tools: [chatTool] }),
  key: 'messages',
  prompt: (content) => ({ role: 'user', content }),
  result: (id) => ({ role: 'tool', tool_call_id: id, content: 'Sunny.' }),
  drop: ({ reasoning_content: _, ...rest }) => rest,
})

const WIRES: Record<string, Wire> = {
  'Gemini 3, thought signature': {
    provider: 'gemini',
    url: (streams) =>
      `https://example.test/v1beta/models/gemini-3-pro-preview:${streams ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (contents) => ({ contents, tools: [{ functionDeclarations: [{ name: 'weather' }] }] }),
    key: 'contents',
    prompt: (text) => ({ role: 'user', parts: [{ text }] }),
    result: (id) => ({
      role: 'user',
      parts: [{ functionResponse: { ...(id ? { id } : {}), name: 'weather', response: { output: 'Sunny.' } } }],
    }),
    drop: (message) => {
      const { parts } = blocks(message, (part) => part['thought'] !== true, 'parts') as unknown as {
        parts: JsonObject[]
      }
      return { ...message, parts: parts.map(({ thoughtSignature: _, ...part }) => part) }
    },
    whole: (message) => blocks(message, (part) => part['thought'] !== true, 'parts'),
  },
  'Anthropic, thinking block': {
    provider: 'anthropic',
    url: () => 'https://example.test/v1/messages',
    body: (messages) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      messages,
    }),
    key: 'messages',
    prompt: (content) => ({ role: 'user', content }),
    result: (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Sunny.' }] }),
    drop: (message) => blocks(message, ({ type }) => type !== 'thinking'),
  },
  'Bedrock Converse, reasoning content': {
    provider: 'bedrock',
    url: (streams) =>
      `https://example.test/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse${streams ? '-stream' : ''}`,
    body: (messages) => ({
      messages,
      inferenceConfig: { maxTokens: 4000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }] },
    }),
    key: 'messages',
    prompt: (text) => ({ role: 'user', content: [{ text }] }),
    result: (id) => ({ role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: 'Sunny.' }] } }] }),
    drop: (message) => blocks(message, (block) => block['reasoningContent'] === undefined),
  },
  'Responses, encrypted reasoning item': {
    provider: 'openai',
    url: () => 'https://example.test/v1/responses',
    body: (input) => ({
      model: 'gpt-5',
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
      input,
    }),
    key: 'input',
    prompt: (content) => ({ role: 'user', content }),
    result: (id) => ({ type: 'function_call_output', call_id: id, output: 'Sunny.' }),
    drop: (item) => (item['type'] === 'reasoning' ? undefined : item),
  },
  'DeepSeek, reasoning_content': chat('deepseek', 'deepseek-reasoner'),
  'Kimi, reasoning_content': chat('moonshot', 'kimi-k2-thinking'),
}

const SCRIPT = [
  { reasoning: 'Oslo, so ask.', calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
  { text: 'Sunny.' },
]

interface Talk {
  readonly contract: ContractFetch
  readonly events: GuardEvent[]
  readonly replies: Reply[]
  ask(history: readonly unknown[], headers?: Record<string, string>): Promise<number>
}

function talk(wire: Wire, streams: boolean, signatureMemory: boolean, script: object[] = SCRIPT): Talk {
  const contract = contractFetch({ provider: wire.provider, script: script as typeof SCRIPT })
  const [events, replies]: [GuardEvent[], Reply[]] = [[], []]
  const fetch = guard({
    fetch: contract,
    provider: wire.provider,
    signatureMemory,
    onEvent: (event) => events.push(event),
    onReply: (reply) => replies.push(reply),
  })
  const stream = streams && wire.provider !== 'gemini' && wire.provider !== 'bedrock' ? { stream: true } : {}
  const ask = async (history: readonly unknown[], headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ ...wire.body(history), ...stream })
    const response = await fetch(wire.url(streams), { method: 'POST', body, headers })
    await response.text().catch(() => '')
    return response.status
  }
  return { contract, events, replies, ask }
}

const sentIn = ({ contract }: Talk, wire: Wire, n: number) =>
  (contract.requests[n]!.body as JsonObject)[wire.key] as JsonObject[]

/** The second request of a client that has dropped the reasoning of the first reply. */
async function dropped(wire: Wire, one: Talk, first = 'Oslo?') {
  await one.ask([wire.prompt(first)])
  const reply = one.replies[0]!
  const kept = (reply.messages as JsonObject[]).flatMap((message) => wire.drop(message) ?? [])
  return { reply, history: [wire.prompt(first), ...kept, wire.result(reply.calls[0]!.id)] }
}

const cases = Object.entries(WIRES).flatMap(([name, wire]) =>
  [false, true].map((streams) => ({ name, wire, streams, how: streams ? 'streamed' : 'whole' })),
)

describe.each(cases)('$name, $how', ({ wire, streams }) => {
  it('is sent again unchanged, byte for byte each time', async () => {
    const one = talk(wire, streams, true, [...SCRIPT, { text: 'Yes.' }])
    const { reply, history } = await dropped(wire, one)
    expect(await one.ask(history)).toBe(200)
    const whole = (reply.messages as JsonObject[]).map(wire.whole ?? ((message) => message))
    expect(sentIn(one, wire, 1).slice(1, 1 + whole.length)).toEqual(whole)
    expect(one.events.map(({ type }) => type)).toEqual(['restored'])

    const after = (one.replies[1]!.messages as JsonObject[]).flatMap((message) => wire.drop(message) ?? [])
    expect(await one.ask([...history, ...after, wire.prompt('Sure?')])).toBe(200)
    expect(sentIn(one, wire, 2).slice(0, 1 + whole.length)).toEqual(sentIn(one, wire, 1).slice(0, 1 + whole.length))
  })

  it('is not there without the memory', async () => {
    const one = talk(wire, streams, false)
    const { reply, history } = await dropped(wire, one)
    await one.ask(history)
    const whole = (reply.messages as JsonObject[]).map(wire.whole ?? ((message) => message))
    expect(sentIn(one, wire, 1).slice(1, 1 + whole.length)).not.toEqual(whole)
  })

  it('is not given to another caller', async () => {
    const one = talk(wire, streams, true)
    const { history } = await dropped(wire, one)
    await one.ask(history, { authorization: 'Bearer other' })
    expect(one.events.map(({ type }) => type)).not.toContain('restored')
  })
})

const anthropic = WIRES['Anthropic, thinking block']!
const gemini = WIRES['Gemini 3, thought signature']!
const kimi = WIRES['Kimi, reasoning_content']!

it('leaves reasoning alone that the client sends itself', async () => {
  const one = talk(anthropic, false, true)
  const { reply } = await dropped(anthropic, one)
  await one.ask([anthropic.prompt('Oslo?'), ...reply.messages, anthropic.result(reply.calls[0]!.id)])
  expect(one.events).toEqual([])
})

it('does not restore thinking into a request that has it switched off', async () => {
  let thinking: unknown = { type: 'enabled', budget_tokens: 1024 }
  const wire: Wire = { ...anthropic, body: (messages) => ({ ...anthropic.body(messages), thinking }) }
  const one = talk(wire, false, true, [...SCRIPT, { text: 'Yes.' }])
  const { history } = await dropped(wire, one)
  thinking = undefined
  expect(await one.ask(history)).toBe(200)
  expect(one.events).toEqual([])
  thinking = { type: 'enabled', budget_tokens: 1024 }
  await one.ask(history)
  expect(one.events.map(({ type }) => type)).toEqual(['restored'])
})

it.each([
  ['an id that conversations share', kimi, 'functions.weather:0'],
  ['no id', gemini, undefined],
])('keeps conversations apart: %s', async (_name, wire, id) => {
  const call = { name: 'weather', arguments: { city: 'Oslo' }, ...(id ? { id } : {}) }
  const script = [{ reasoning: 'One.', calls: [call] }, { text: 'ok' }, { text: 'ok' }]
  const one = talk(wire, false, true, script)
  const { history } = await dropped(wire, one)
  await one.ask([wire.prompt('Another conversation'), ...history.slice(1)])
  expect(one.events.map(({ type }) => type)).not.toContain('restored')
  await one.ask(history)
  expect(one.events.at(-1)).toMatchObject({ type: 'restored', calls: 1 })
})

it('keeps nothing of a reply that broke off', async () => {
  const [first, ...rest] = SCRIPT
  const one = talk(anthropic, true, true, [{ ...first, chunkBytes: 4, fault: 'cut-after-events=12' }, ...rest])
  await one.ask([anthropic.prompt('Oslo?')])
  expect(one.replies[0]?.complete).toBe(false)
  const call = { type: 'tool_use', id: 'toolu_01ABCDEFGHIJKLMNOPQRSTUV', name: 'weather', input: { city: 'Oslo' } }
  await one.ask([anthropic.prompt('Oslo?'), { role: 'assistant', content: [call] }, anthropic.result(call.id)])
  expect(one.events.map(({ type }) => type)).not.toContain('restored')
})

it('restores thinking between two calls where it was, also in split messages', async () => {
  const one = talk(anthropic, false, true, [
    {
      parts: [
        { kind: 'reasoning', text: 'First.' },
        { kind: 'text', text: 'I look.' },
        { kind: 'call', id: 'toolu_01ABCDEFGHIJKLMNOPQRSTU1', name: 'weather', arguments: { city: 'Oslo' } },
        { kind: 'reasoning', text: 'Second.' },
        { kind: 'call', id: 'toolu_01ABCDEFGHIJKLMNOPQRSTU2', name: 'weather', arguments: { city: 'Rome' } },
      ],
    },
    { text: 'Sunny.' },
  ])
  await one.ask([anthropic.prompt('Both?')])
  const [message] = one.replies[0]!.messages as JsonObject[]
  const content = message!['content'] as JsonObject[]
  expect(content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'thinking', 'tool_use'])
  const split = content
    .filter(({ type }) => type !== 'thinking')
    .map((block) => ({ role: 'assistant', content: [block] }))
  const results = one.replies[0]!.calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Sunny.' }))
  expect(await one.ask([anthropic.prompt('Both?'), ...split, { role: 'user', content: results }])).toBe(200)
  const sent = sentIn(one, anthropic, 1).slice(1, -1)
  expect(sent.flatMap((sending) => sending['content'] as JsonObject[])).toEqual(content)
})

it('is bounded, and drops what was not used for the longest time', () => {
  const memory = new SignatureMemory({ maxEntries: 2, maxBytes: 2000 })
  for (const key of ['a', 'b']) memory.set(key, { signature: key })
  memory.get('a')
  memory.set('c', { signature: 'c' })
  expect(['a', 'b', 'c'].map((key) => memory.get(key)?.signature)).toEqual(['a', undefined, 'c'])
  memory.set('large', { signature: 'x'.repeat(900) })
  expect(memory.size).toBeLessThanOrEqual(2)
  memory.set('too large', { signature: 'x'.repeat(2000) })
  expect(memory.get('too large')).toBeUndefined()
})
