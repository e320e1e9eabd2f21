import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '../judge.ts'
import type { Fault } from './faults.ts'
import { contractFetch } from './fetch.ts'
import { startContract } from './server.ts'
import { request, taken, type Way, way, ways } from './testing/ways.ts'

const contract = await startContract()
afterAll(() => contract.close())

const ENDPOINTS: readonly Endpoint[] = ['messages', 'chat', 'responses', 'gemini', 'converse']
const ask = (one: Way, fault: string) => fetch(contract.url + one.path, request(one, { 'x-contract-fault': fault }))

test.each(ENDPOINTS)('%s: a stream cut after n bytes has n bytes', async (endpoint) => {
  for (const bytes of [0, 1, 120]) {
    const { bytes: got, broken } = await taken(await ask(way(endpoint, true), `cut-after-bytes=${bytes}`))
    expect([got.length, broken]).toEqual([bytes, true])
  }
  expect(await contract.requests.at(-1)?.done).toBe('cut')
})

test.each(ENDPOINTS)('%s: a whole answer can be cut as well', async (endpoint) => {
  const { bytes, broken } = await taken(await ask(way(endpoint, false), 'cut-after-bytes=10'))
  expect([bytes.length, broken]).toEqual([10, true])
})

test.each(ENDPOINTS)('%s: a stream cut after n events has n events', async (endpoint) => {
  const one = way(endpoint, true)
  const whole = await taken(await ask(one, ''))
  const { writes } = contract.requests.at(-1)!.answer
  const cut = await taken(await ask(one, 'cut-after-events=1'))
  expect([cut.bytes.length, cut.broken]).toEqual([writes[0]?.length, true])
  expect(whole.text.startsWith(cut.text)).toBe(true)
})

test.each(['messages', 'chat', 'converse'] as const)('%s: a stream can end cleanly and too early', async (endpoint) => {
  const { bytes, broken } = await taken(await ask(way(endpoint, true), 'end-after-bytes=50'))
  expect([bytes.length, broken]).toEqual([50, false])
})

test.each(ENDPOINTS)('%s: a cut inside a character leaves its first byte', async (endpoint) => {
  const one = way(endpoint, true)
  contract.script({ text: 'a déjà vu', fault: 'cut-in-character' })
  const { bytes, broken } = await taken(await ask(one, ''))
  expect(broken).toBe(true)
  expect(bytes.at(-1)).toBe(0xc3)
})

test.each(ENDPOINTS)('%s: a cut inside arguments leaves the call open', async (endpoint) => {
  const call = { name: 'weather', arguments: { city: 'a very long name of a place' } }
  contract.script({ calls: [call], chunkBytes: 10, fault: 'cut-in-arguments' })
  const { text, broken } = await taken(await ask(way(endpoint, true), ''))
  expect(broken).toBe(true)
  expect(text).toContain('weather')
  expect(text).not.toContain('name of a place')
})

const MARKS: Readonly<Record<Endpoint, RegExp>> = {
  messages:
    /event: error\ndata: \{"type":"error","error":\{"details":null,"type":"overloaded_error","message":"Overloaded"\}\}\n\n$/,
  chat: /data: \{"error":\{"message":[^\n]*\}\}\n\n$/,
  responses: /"type":"response.failed","sequence_number":4,"response":\{.*"error":\{"code":"server_is_overloaded"/,
  gemini: /data: \{"error":\{"code":503,"message":"The model is overloaded. [^"]*","status":"UNAVAILABLE"\}\}\r\n\r\n$/,
  converse: /:exception-type.*serviceUnavailableException.*:message-type.*exception/s,
}

test.each(ENDPOINTS)(
  '%s: an error in mid-stream has the shape of its provider, and nothing follows',
  async (endpoint) => {
    contract.script({ text: 'a long enough text for several events', chunkBytes: 4, fault: 'error-event=4' })
    const { text, broken } = await taken(await ask(way(endpoint, true), ''))
    expect(text).toMatch(MARKS[endpoint])
    expect(text).not.toMatch(/message_stop|\[DONE\]|response\.completed|finishReason|messageStop/)
    expect(broken).toBe(false)
  },
)

test('the error of OpenRouter has its own finish reason', async () => {
  const { text } = await taken(await ask(way('chat', true, undefined, 'openrouter'), 'error-event, status=502'))
  expect(text).toMatch(/"finish_reason":"error"\}\],"error":\{"code":502,/)
})

test('an error for a stream is a status if no stream was requested', async () => {
  expect((await ask(way('messages', false), 'error-event')).status).toBe(529)
  expect((await ask(way('chat', false), 'error-event, status=500')).status).toBe(500)
})

test('a relay may end a cut stream with [DONE], and write its error without a frame', async () => {
  const one = way('chat', true)
  const done = await taken(await ask(one, 'done-after-events=2'))
  expect(done.text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(done.text).not.toContain('"finish_reason":"')
  const bare = await taken(await ask(one, 'bare-error=2'))
  expect(JSON.parse(bare.text.split('\n\n').at(-1) ?? '')).toHaveProperty('error.message')
})

test('statuses, with and without retry-after', async () => {
  for (const one of ways()) {
    for (const status of [429, 500, 529]) {
      const plain = await ask(one, `status=${status}`)
      expect([one.path, plain.status, plain.headers.get('retry-after')]).toEqual([one.path, status, null])
      expect(await plain.text()).toMatch(/^[[{]/)
      const response = await ask(one, `status=${status}, retry-after=7`)
      expect(response.headers.get('retry-after')).toBe('7')
    }
  }
})

test('an empty 400 is empty', async () => {
  const response = await ask(way('chat', false), 'empty=400')
  expect([response.status, await response.text()]).toEqual([400, ''])
})

test('a request that is too large', async () => {
  const response = await ask(way('messages', false), 'too-large')
  expect([response.status, await response.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }])
  const emulator = contractFetch({ byteLimit: 1_000 })
  const send = async (one: Way) => (await emulator(`http://a${one.path}`, request(one))).status
  expect(await send(way('messages', false))).toBe(200)
  expect(await send(way('messages', false, 'x'.repeat(1_000)))).toBe(413)
})

test('the 400 of OpenRouter hides the inner error', async () => {
  const one = way('chat', false, undefined, 'openrouter')
  const body = async (fault: string) =>
    (await (await ask(one, fault)).json()) as { error: { metadata: { raw: string } } }
  const hidden = await body('wrapped')
  expect(hidden).toMatchObject({ error: { message: 'Provider returned error', code: 400 } })
  expect(JSON.parse(hidden.error.metadata.raw)).toHaveProperty('error.message')
  expect((await body('wrapped=not%20JSON%2C%20at%20all')).error.metadata.raw).toBe('not JSON, at all')
})

test('a slow first byte arrives', async () => {
  const response = await ask(way('chat', true), 'slow-first-byte=20')
  expect((await taken(response)).text).toContain('[DONE]')
})

test('a stalled stream sends everything before the stall, then nothing', async () => {
  const leaving = new AbortController()
  const one = way('chat', true)
  const init = { ...request(one, { 'x-contract-fault': 'stall-after-bytes=30' }), signal: leaving.signal }
  const reader = (await fetch(contract.url + one.path, init)).body!.getReader()
  expect((await reader.read()).value).toHaveLength(30)
  const next = reader.read()
  leaving.abort()
  await expect(next).rejects.toMatchObject({ name: 'AbortError' })
  expect(await contract.requests.at(-1)?.done).toBe('stall')
})

test('a spurious rejection answers a valid request with the text for a broken one', async () => {
  const response = await ask(way('chat', false, undefined, 'cerebras'), 'spurious-rejection')
  expect(response.status).toBe(400)
  expect(await response.text()).toContain("Messages with role 'tool' must be a response to a preceeding message")
  for (const one of ways()) expect((await ask(one, 'spurious-rejection')).status).toBeGreaterThanOrEqual(400)
})

test('chance strikes the same requests for the same seed', async () => {
  const faults: Partial<Record<Fault, number>> = { 'status=529': 0.3, 'status=429': 0.2 }
  const run = async (seed: number) => {
    const emulator = contractFetch({ chance: { seed, faults } })
    const one = way('chat', false)
    const statuses: number[] = []
    for (let count = 0; count < 60; count++) statuses.push((await emulator(`http://a${one.path}`, request(one))).status)
    return statuses
  }
  const first = await run(1)
  expect(new Set(first)).toEqual(new Set([200, 429, 529]))
  expect(await run(1)).toEqual(first)
  expect(await run(2)).not.toEqual(first)
})

test('a fault from outside takes no step of the script', async () => {
  const emulator = contractFetch({ script: [{ text: 'once' }] })
  const one = way('chat', false)
  await emulator(`http://a${one.path}`, request(one, { 'x-contract-fault': 'status=500' }))
  expect(await (await emulator(`http://a${one.path}`, request(one))).text()).toContain('once')
})
