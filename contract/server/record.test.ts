import { expect, test } from 'vitest'
import { contractFetch } from './fetch.ts'
import { startContract } from './server.ts'
import { request, taken, way } from './testing/ways.ts'

test('a record has the request, the verdict and the answer', async () => {
  const emulator = contractFetch()
  const one = way('messages', false)
  const response = await emulator(`http://a${one.path}?beta=true`, request(one, { 'X-Api-Key': 'k' }))
  const { bytes } = await taken(response)
  const [record] = emulator.requests
  expect(record).toMatchObject({
    method: 'POST',
    path: '/anthropic/v1/messages?beta=true',
    headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
    body: one.body,
    provider: 'anthropic',
    endpoint: 'messages',
    model: 'claude-opus-4-5',
    stream: false,
    verdict: { accepted: true },
    faults: [],
    answer: { status: 200, ending: 'end' },
  })
  expect(new TextDecoder().decode(record?.bytes)).toBe(JSON.stringify(one.body))
  expect(Buffer.concat(record?.answer.writes ?? [])).toEqual(Buffer.from(bytes))
  expect(await record?.done).toBe('end')
})

test('a rejection is in the record with its rule', async () => {
  const emulator = contractFetch()
  const body = { messages: [{ role: 'tool', tool_call_id: 'x', content: 'x' }] }
  await emulator('http://a/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })
  expect(emulator.requests[0]).toMatchObject({
    verdict: { accepted: false, rule: 'tool-result-orphan' },
    answer: { status: 400 },
  })
})

test('a header names the provider, and wins over the path', async () => {
  const emulator = contractFetch({ provider: 'groq' })
  const one = way('chat', false)
  await emulator(`http://a${one.path}`, request(one))
  await emulator(`http://a${one.path}`, request(one, { 'x-contract-provider': 'xai' }))
  expect(emulator.requests.map((record) => record.provider)).toEqual(['groq', 'xai'])
})

test('the record keeps the newest', async () => {
  const emulator = contractFetch({ maxRequests: 2 })
  for (const prompt of ['one', 'two', 'three']) {
    const one = way('chat', false, prompt)
    await emulator(`http://a${one.path}`, request(one))
  }
  expect(emulator.requests.map((record) => JSON.stringify(record.body).match(/one|two|three/)?.[0])).toEqual([
    'two',
    'three',
  ])
})

test('a client that disconnects is in the record', async () => {
  const server = await startContract()
  const one = way('chat', true)
  const leaving = new AbortController()
  const init = { ...request(one, { 'x-contract-fault': 'slow-first-byte=600000' }), signal: leaving.signal }
  const response = fetch(server.url + one.path, init)
  await expect.poll(() => server.requests.length).toBe(1)
  leaving.abort()
  await expect(response).rejects.toMatchObject({ name: 'AbortError' })
  expect(await server.requests[0]?.done).toBe('disconnected')
  await server.close()
})

test('a client of the fetch that cancels is in the record, too', async () => {
  const emulator = contractFetch({ script: [{ text: 'a long story', chunkBytes: 1, paceMs: 1 }] })
  const one = way('chat', true)
  const response = await emulator(`http://a${one.path}`, request(one))
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(await emulator.requests[0]?.done).toBe('disconnected')
})

test('a wrong request gets an error of the contract itself', async () => {
  const emulator = contractFetch()
  const post = (path: string, headers: Record<string, string> = {}) =>
    emulator(`http://a${path}`, { method: 'POST', headers, body: '{}' })
  expect((await post('/v2/nothing')).status).toBe(404)
  expect((await emulator('http://a/v1/messages')).status).toBe(405)
  expect(await (await post('/v1/messages', { 'x-contract-provider': 'unlisted' })).json()).toEqual({
    contract: 'No such provider: unlisted.',
  })
  const wrong = await post('/v1/messages', { 'x-contract-fault': 'cut-after-lunch' })
  expect(((await wrong.json()) as { contract: string }).contract).toContain('Unknown fault "cut-after-lunch"')
  expect(() => emulator.script({ fault: 'retry-after=soon' as 'retry-after=1' })).toThrow(RangeError)
})

test('a body that is not JSON is rejected in the words of the provider', async () => {
  const emulator = contractFetch()
  const response = await emulator('http://a/v1/messages', { method: 'POST', body: '{"messages": [' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('The request body is not valid JSON')
})
