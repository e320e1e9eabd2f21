/**
 * Requests through the guard: valid ones leave as they came, repaired ones are spliced, and every way to give a body
 * works.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { contractFetch } from '../../contract/index.ts'
import { type FetchOptions, type GuardEvent, guard, middleware } from './index.ts'

const URL_CHAT = 'https://api.openai.com/v1/chat/completions'
const URL_MESSAGES = 'https://api.anthropic.com/v1/messages'
const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } })
const valid = {
  model: 'gpt-4.1',
  messages: [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: null, tool_calls: [call('a')] },
    { role: 'tool', tool_call_id: 'a', content: 'sunny' },
  ],
}
const broken = { ...valid, messages: [...valid.messages.slice(0, 2), { role: 'user', content: 'hello?' }] }

function set(options: FetchOptions = {}) {
  const contract = contractFetch({ script: Array.from({ length: 20 }, () => ({ text: 'Good.' })) })
  const events: GuardEvent[] = []
  const fetch = guard({ fetch: contract, onEvent: (event) => events.push(event), ...options })
  const last = () => contract.requests.at(-1)!
  return { contract, events, fetch, last, sent: () => new TextDecoder().decode(last().bytes) }
}

const post = (body: RequestInit['body'], headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: body!,
})

describe('valid requests leave byte for byte', () => {
  const spellings = {
    plain: JSON.stringify(valid),
    'odd spaces': JSON.stringify(valid, null, '\t ').replaceAll(':', ' :\r\n'),
    'escapes and characters': JSON.stringify(valid).replace('weather?', '\\u0077eather\\/ é 中 \\ud83d\\ude00'),
    'spellings of numbers': JSON.stringify(valid).replace('{', '{"temperature":1.00E0,"seed":12345678901234567890,'),
    'keys that stand twice': JSON.stringify(valid).replace('{', '{"model":"gpt-4","user":"x","user":"y",'),
    'no history': '{"model":"gpt-4.1","prompt":"x"}',
    'no JSON': '{"model":',
  }
  it.each(Object.entries(spellings))('%s', async (_name, text) => {
    const { fetch, last } = set()
    for (const body of [text, new TextEncoder().encode(text)]) {
      await fetch(URL_CHAT, post(body))
      expect(Buffer.from(last().bytes).equals(Buffer.from(text))).toBe(true)
    }
  })
})

describe('repaired requests', () => {
  it('keep all bytes that were not changed, and report what was done', async () => {
    const { fetch, sent, events, last } = set()
    const text = JSON.stringify(broken).replace('gpt-4.1"', 'gpt-4.1", "seed": 1.0')
    const response = await fetch(URL_CHAT, post(text))
    expect(response.status).toBe(200)
    expect(last().verdict?.accepted).toBe(true)
    const at = text.indexOf(',{"role":"user","content":"hello?"}')
    expect(sent().startsWith(text.slice(0, at))).toBe(true)
    expect(sent().endsWith(text.slice(at))).toBe(true)
    expect(response.headers.get('suture-findings')).toBe('tool-result-missing')
    expect(events).toMatchObject([
      { type: 'repaired', provider: 'openai', dialect: 'openai-chat', model: 'gpt-4.1', way: 'spliced', messages: 4 },
    ])
    expect(events).toMatchObject([{ changes: ['/messages/2: adds tool message (result a)'] }])
    expect(JSON.stringify(events)).not.toMatch(/weather|Paris|hello/)
  })

  it('report a repeated key', async () => {
    const { fetch, events, last } = set()
    await fetch(URL_CHAT, post(JSON.stringify(broken).replace('{', '{"user":"x","user":"y",')))
    expect(last().verdict?.accepted).toBe(true)
    expect(events).toMatchObject([{ type: 'repaired', way: 'rewritten' }])
  })

  it('are found in every kind of body', async () => {
    const text = JSON.stringify(broken)
    const bytes = new TextEncoder().encode(text)
    const { fetch, last, sent } = set()
    await fetch(URL_CHAT, post(text))
    const wanted = sent()
    const kinds: RequestInit[] = [
      post(bytes),
      post(bytes.buffer as ArrayBuffer),
      post(new DataView(bytes.buffer)),
      post(new Blob([text])),
      { ...post(new Blob([text]).stream() as never), duplex: 'half' } as RequestInit,
      post(gzipSync(bytes), { 'content-encoding': 'gzip', 'content-length': '12' }),
    ]
    for (const init of kinds) {
      await fetch(new URL(URL_CHAT), init)
      expect(sent()).toBe(wanted)
      expect(last().headers).not.toHaveProperty('content-encoding')
    }
    await fetch(new Request(URL_CHAT, post(text)))
    expect(sent()).toBe(wanted)
    await fetch(new Request(URL_CHAT, { method: 'POST', headers: { x: 'y' } }), post(text))
    expect(sent()).toBe(wanted)
  })

  it('may be streams and compressed when valid, too', async () => {
    const text = JSON.stringify(valid)
    const { fetch, sent, last } = set()
    await fetch(URL_CHAT, { ...post(new Blob([text]).stream() as never), duplex: 'half' } as RequestInit)
    expect(sent()).toBe(text)
    await fetch(new Request(URL_CHAT, post(text)))
    expect(sent()).toBe(text)
    const packed = gzipSync(text)
    await fetch(URL_CHAT, post(packed, { 'content-encoding': 'gzip' }))
    expect(Buffer.from(last().bytes).equals(packed)).toBe(true)
    expect(last().headers['content-encoding']).toBe('gzip')
  })
})

describe('what is not ours is passed on', () => {
  it('other paths, other methods, forms', async () => {
    const { fetch, events, contract } = set()
    const text = JSON.stringify(broken)
    await fetch('https://example.com/v1/threads', post(text))
    await fetch('https://api.openai.com/v1/embeddings', post(text))
    await fetch(URL_CHAT)
    await fetch(URL_CHAT, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    await fetch(URL_CHAT, post('x', { 'content-encoding': 'br' }))
    expect(contract.requests.map((one) => new TextDecoder().decode(one.bytes))).toEqual([text, text, '', 'a=b', 'x'])
    expect(events.map((event) => event.type === 'passed' && event.why)).toEqual([
      'unknown-endpoint',
      'unknown-endpoint',
      'unknown-endpoint',
      'not-readable',
      'not-readable',
    ])
  })

  it('unless the provider is named', async () => {
    const { fetch, last } = set({ provider: 'openai' })
    await fetch('http://localhost:8080/proxy/v1/chat/completions', post(JSON.stringify(broken)))
    expect(last().verdict?.accepted).toBe(true)
  })

  it('a signed request keeps its bytes, unless it can be signed again', async () => {
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/converse'
    const body = JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'a' }, { text: '' }] }] })
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x' }
    const plain = set()
    await plain.fetch(url, post(body, headers))
    expect(plain.sent()).toBe(body)
    expect(plain.events.slice(0, 2)).toMatchObject([{ type: 'found' }, { type: 'passed', why: 'signed' }])
    const signing = set({ sign: ({ body }) => ({ authorization: `AWS4-HMAC-SHA256 for ${body.length}` }) })
    await signing.fetch(url, post(body, headers))
    expect(signing.last().verdict?.accepted).toBe(true)
    expect(signing.last().headers['authorization']).toBe(`AWS4-HMAC-SHA256 for ${signing.last().bytes.length}`)
  })
})

describe('the switch', () => {
  it('is a header that does not leave the house, or an option', async () => {
    const text = JSON.stringify(broken)
    const { fetch, sent, last, events } = set()
    const rejected = await fetch(URL_CHAT, post(text, { suture: 'off' }))
    expect([rejected.status, sent()]).toEqual([400, text])
    const linted = await fetch(URL_CHAT, post(text, { suture: 'lint' }))
    expect([linted.status, sent(), linted.headers.get('suture-findings')]).toEqual([400, text, 'tool-result-missing'])
    const repaired = await fetch(URL_CHAT, post(text, { suture: 'repair' }))
    expect([repaired.status, last().verdict?.accepted]).toEqual([200, true])
    expect(last().headers).not.toHaveProperty('suture')
    expect(events.map(({ type }) => type)).toEqual(['passed', 'found', 'repaired'])
    const off = set({ level: 'off' })
    expect((await off.fetch(URL_CHAT, post(text))).status).toBe(400)
    expect((await off.fetch(URL_CHAT, post(text, { suture: 'on' }))).status).toBe(200)
  })

  it('rejects options that make no sense', () => {
    expect(() => guard({ level: 'maybe' as never })).toThrow(
      /must be one of off, lint, repair, recover, but got "maybe"/,
    )
    expect(() => guard({ provider: 'antropic' as never })).toThrow(
      /Unknown provider "antropic". Did you mean "anthropic"/,
    )
    expect(() => guard({ maxAttempts: 0 })).toThrow(/"maxAttempts" of guard must be an integer from 1/)
  })
})

describe('a failure of our own', () => {
  const policy = { unanswered: 'no such thing' } as never
  it('sends the request unchanged', async () => {
    const { fetch, sent, events } = set({ repair: { policy } })
    const text = JSON.stringify(broken)
    await fetch(URL_CHAT, post(text))
    expect(sent()).toBe(text)
    expect(events[0]).toMatchObject({ type: 'failed', step: 'repair', error: 'SutureError' })
  })

  it('stops it with failClosed', async () => {
    const { fetch, contract } = set({ repair: { policy }, failClosed: true })
    await expect(fetch(URL_CHAT, post(JSON.stringify(broken)))).rejects.toThrow(
      /Unknown choice "no such thing" in policy.unanswered/,
    )
    expect(contract.requests.length).toBe(0)
  })

  it('a listener that throws stops nothing', async () => {
    const { fetch } = set({
      onEvent() {
        throw new Error('x')
      },
    })
    expect((await fetch(URL_CHAT, post(JSON.stringify(broken)))).status).toBe(200)
    expect((await fetch('https://example.com/v1/messages', post('{}'))).status).toBeGreaterThan(0)
  })
})

describe('a listener that is async and fails', () => {
  const unhandled: unknown[] = []
  const hear = (error: unknown) => unhandled.push(error)
  /** Rejections that nothing handles are reported before it. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const fails = async () => {
    throw new Error('the listener failed')
  }

  it.each([false, true])('ends no process and stops no request; strict: %s', async (strict) => {
    process.on('unhandledRejection', hear)
    const seen: GuardEvent[] = []
    const onEvent = (event: GuardEvent) => {
      seen.push(event)
      return fails()
    }
    const { fetch } = set({ onEvent, onReply: fails, failClosed: strict })
    expect((await fetch(URL_CHAT, post(JSON.stringify(broken)))).status).toBe(200)
    expect((await fetch('https://example.com/v1/other', post('{}'))).status).toBeGreaterThan(0)
    await middleware({ onEvent }).transformParams({ params: { prompt: [{ role: 'assistant', content: [] }] } })
    await settled()
    process.off('unhandledRejection', hear)
    expect(unhandled).toEqual([])
    expect(seen.map(({ type }) => type)).toContain('failed')
    expect(seen.find(({ type }) => type === 'failed')).toMatchObject({ step: 'onReply', error: 'Error' })
  })
})

it('finds the model in the address', async () => {
  const { fetch, events } = set()
  const contents = [
    { role: 'model', parts: [{ functionCall: { name: 'x', args: {} } }] },
    { role: 'user', parts: [{ text: 'a' }] },
  ]
  await fetch(
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    post(JSON.stringify({ contents })),
  )
  expect(events[0]).toMatchObject({ type: 'repaired', provider: 'gemini', model: 'gemini-2.5-flash' })
})

it('reads the body if one address serves several families', async () => {
  const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/invoke'
  const { fetch, events } = set()
  const messages = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'y' }] }]
  await fetch(url, post(JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages })))
  await fetch(url, post(JSON.stringify({ inputText: 'x' })))
  expect(events.filter(({ type }) => type !== 'rejected')).toMatchObject([
    { type: 'repaired', provider: 'bedrock', dialect: 'anthropic-messages', model: 'anthropic.claude-v2' },
    { type: 'passed', why: 'unknown-endpoint' },
  ])
})

it('repairs an Anthropic request by its host', async () => {
  const { fetch, last } = set()
  const messages = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
    { role: 'user', content: 'hello?' },
  ]
  const response = await fetch(
    URL_MESSAGES,
    post(JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 9, messages })),
  )
  expect([response.status, last().verdict?.accepted]).toEqual([200, true])
})
