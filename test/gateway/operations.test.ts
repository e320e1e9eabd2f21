/**
 * The gateway as something that runs: bytes, aborts, back-pressure, keys, limits, shutdown.
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { taken } from '../../contract/server/testing/ways.ts'
import { gateway, hashOf } from '../../src/gateway/index.ts'
import { post, raw } from './raw-socket.ts'
import { running } from './start-gateway.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

/** An upstream of a few lines, and a gateway in front of it. */
async function before(upstream: RequestListener, options: Parameters<typeof running>[0] = {}) {
  const server = createServer(upstream)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const app = await running({ upstreams: { own: { url: `http://127.0.0.1:${port}/base` } }, ...options })
  closers.push(async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
  })
  return app
}

const hi = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const streaming = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
const chunk = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`

describe('bytes', () => {
  it('a valid request and its answer pass unchanged, headers with their order and case', async () => {
    let seen = ''
    const app = await before((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += piece
      })
      request.on('end', () => {
        seen = `${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n${body}`
        response.sendDate = false
        response.writeHead(203, 'Odd Words', [
          'X-One',
          '1',
          'x-TWO',
          '2',
          'X-One',
          'again',
          'Content-Type',
          'application/json',
        ])
        response.end('{ "odd" :  [1.0, 1e2] , "unknown": true }')
      })
    })
    const body = '{ "model":"m",  "unknown": 1.50, "messages" : [ {"role":"user","content":"Hi","x":null} ] }'
    const text = await raw(app.url, [post('/own/v1/chat/completions?a=%20b&c', body, ['X-Mixed-CASE: Yes', 'x-b: 2'])])
    expect(seen.split('\n')[0]).toBe('POST /base/v1/chat/completions?a=%20b&c')
    expect(seen).toContain('X-Mixed-CASE\nYes\nx-b\n2')
    expect(seen.endsWith(body)).toBe(true)
    expect(text).toMatch(
      /^HTTP\/1.1 203 Odd Words\r\nX-One: 1\r\nx-TWO: 2\r\nX-One: again\r\nContent-Type: application\/json\r\n/,
    )
    expect(text).toContain('{ "odd" :  [1.0, 1e2] , "unknown": true }')
  })

  it('unknown paths are passed on unchanged, with any method', async () => {
    const app = await before((request, response) => response.end(`${request.method} ${request.url}`))
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${app.url}/own/v1/files/1?x=1`, { method })
      expect(await response.text()).toBe(`${method} /base/v1/files/1?x=1`)
    }
  })

  it('by the name of the host', async () => {
    const app = await before((request, response) => response.end(request.url))
    const text = await raw(app.url, ['GET /v1/models HTTP/1.1\r\nHost: own.localhost:1\r\nConnection: close\r\n\r\n'])
    expect(text).toContain('/base/v1/models')
  })

  it('as a web-standard handler', async () => {
    const running = await before((_request, response) => response.end('{}'))
    const url = running.contract.url
    const app = gateway({ upstreams: { openai: { url: `${url}/openai` } } })
    closers.push(() => app.close())
    const broken = {
      model: 'gpt-4o',
      stream: true,
      messages: [
        { role: 'tool', tool_call_id: 'x', content: 'y' },
        { role: 'user', content: 'Hi' },
      ],
    }
    const response = await app.fetch(
      new Request('http://localhost/openai/v1/chat/completions', { method: 'POST', body: JSON.stringify(broken) }),
    )
    expect([response.status, response.headers.get('suture-findings')]).toEqual([200, 'tool-result-orphan'])
    expect(await response.text()).toMatch(/\[DONE\]\n\n$/)
  })
})

describe('streams', () => {
  it('the client disconnects: the upstream request is aborted', async () => {
    let left: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const app = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'))
      response.on('close', left)
    })
    const leaving = new AbortController()
    const response = await fetch(`${app.url}/own/v1/chat/completions`, {
      method: 'POST',
      body: streaming,
      signal: leaving.signal,
    })
    await response.body!.getReader().read()
    leaving.abort()
    await gone
    const line = (await app.logged()).at(-1)
    expect(line).toMatchObject({ clientDisconnected: true })
    // Who leaves was not cut off.
    expect(line).not.toHaveProperty('incomplete')
  })

  it('a client that does not read holds the upstream back', async () => {
    let written = 0
    const app = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = () => {
        written += 64_000
        if (written < 200e6 && !response.destroyed) response.write(chunk('x'.repeat(64_000)), () => setImmediate(more))
      }
      more()
    })
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.write(post('/own/v1/chat/completions', streaming))
    await new Promise((resolve) => socket.once('readable', resolve))
    let before_ = -1
    while (written !== before_) {
      before_ = written
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(written).toBeLessThan(60e6)
    socket.destroy()
    await app.logged()
  })

  it('a line without an end is cut, and the client sees a break', async () => {
    const app = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'))
      response.write('data: ')
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(1e6), () => setImmediate(more))
      }
      more()
    })
    const response = await fetch(`${app.url}/own/v1/chat/completions`, { method: 'POST', body: streaming })
    const { text, broken } = await taken(response)
    expect([text.startsWith(`${chunk('a')}data: xxx`), broken]).toEqual([true, true])
  })

  it('shutdown lets a stream end, and accepts no new request', async () => {
    let finish: () => void = () => {}
    const app = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'))
      finish = () =>
        response.end(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`)
    })
    const response = await fetch(`${app.url}/own/v1/chat/completions`, { method: 'POST', body: streaming })
    const reader = response.body!.getReader()
    await reader.read()
    const closed = app.listening.close(20_000)
    await expect(fetch(`${app.url}/own/v1/chat/completions`, { method: 'POST', body: hi })).rejects.toThrow()
    finish()
    let text = ''
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += Buffer.from(next.value).toString()
    expect(text).toMatch(/\[DONE\]\n\n$/)
    await closed
  })
})

it.each([
  ['rejects', async () => Promise.reject(new Error('no log'))],
  [
    'throws',
    () => {
      throw new Error('no log')
    },
  ],
])('a log that %s ends no process and no request', async (_how, log) => {
  const unhandled: unknown[] = []
  const hear = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', hear)
  process.on('uncaughtException', hear)
  const app = await before((_request, response) => void response.end('fine'), { log })
  for (let i = 0; i < 2; i++) expect(await (await fetch(`${app.url}/own/v1/other`)).text()).toBe('fine')
  await app.logged()
  // Rejections that nothing handles are reported before it.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', hear)
  process.off('uncaughtException', hear)
  expect(unhandled).toEqual([])
})

describe('upstreams that fail', () => {
  it('no server: 502; no answer: 504', async () => {
    const gone = gateway({ upstreams: { own: { url: 'http://127.0.0.1:9' } } })
    closers.push(() => gone.close())
    const ask = () => gone.fetch(new Request('http://localhost/own/v1/chat/completions', { method: 'POST', body: hi }))
    expect((await ask()).status).toBe(502)
    const app = await before(() => {}, { limits: { upstreamTimeoutMs: 500 } })
    const response = await fetch(`${app.url}/own/v1/chat/completions`, { method: 'POST', body: hi })
    expect([response.status, response.headers.get('suture-error')]).toEqual([504, 'upstream-timeout'])
  })
})

describe('keys', () => {
  const KEY = 'sk-suture-test'
  const keys = [{ name: 'alice', hash: hashOf(KEY), perMinute: 3 }]

  it('beyond loopback only with keys', async () => {
    const open = gateway({ upstreams: {} })
    closers.push(() => open.close())
    await expect(open.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'bad-option' })
    const closed = gateway({ upstreams: {}, keys })
    const listening = await closed.listen({ host: '0.0.0.0', port: 0 })
    await listening.close(0)
  })

  it('a key is needed, stays here, and is exchanged for the key of the provider', async () => {
    let came: Record<string, unknown> = {}
    const app = await before((request, response) => {
      came = request.headers
      response.end('{}')
    })
    const upstream = { url: `${app.url}/own`, apiKey: 'sk-of-the-provider' }
    const kept = gateway({ upstreams: { own: upstream, gemini: { ...upstream, provider: 'gemini' } }, keys })
    closers.push(() => kept.close())
    const ask = (headers: Record<string, string>, path = '/own/v1/models') =>
      kept.fetch(new Request(`http://gate.example${path}`, { headers }))
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await ask({ authorization: `Bearer ${KEY}` })).status).toBe(200)
    expect(came['authorization']).toBe('Bearer sk-of-the-provider')
    expect((await ask({}, `/gemini/v1beta/models?key=${KEY}`)).status).toBe(200)
    expect([came['x-goog-api-key'], JSON.stringify(came)]).toEqual([
      'sk-of-the-provider',
      expect.not.stringContaining(KEY),
    ])
    expect((await ask({ 'suture-key': KEY, authorization: 'Bearer of-the-caller' })).status).toBe(200)
    expect(came['authorization']).toBe('Bearer of-the-caller')
    const limited = await ask({ 'x-api-key': KEY })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.any(String)])
    expect(kept.metrics()).not.toContain(KEY)
  })
})

it('a client with two credentials: the gateway key is removed, the other one is passed on, in either order', async () => {
  let came: string[] = []
  const app = await before((request, response) => {
    came = request.rawHeaders
    response.end('{}')
  })
  const own = { url: `${app.url}/own`, provider: 'anthropic', apiKey: 'sk-of-the-provider' } as const
  const kept = gateway({ upstreams: { own }, keys: [{ name: 'a', hash: hashOf('ours') }] })
  closers.push(() => kept.close())
  for (const [bearer, key] of [
    ['ours', 'theirs'],
    ['theirs', 'ours'],
  ] as const) {
    const headers = { authorization: `Bearer ${bearer}`, 'x-api-key': key }
    expect((await kept.fetch(new Request('http://gate.example/own/v1/models', { headers }))).status).toBe(200)
    const passed = came.filter((text) => /ours|theirs|sk-of-the-provider/.test(text))
    expect(passed).toEqual([bearer === 'theirs' ? 'Bearer theirs' : 'theirs'])
  }
  const ready = await kept.fetch(new Request('http://gate.example/suture/ready'))
  expect(await ready.json()).toEqual({ status: 'ready', store: null })
})

it('health, readiness and what the metrics count', async () => {
  const app = await before((_request, response) => response.end('{}'))
  expect(await (await fetch(`${app.url}/suture/health`)).json()).toEqual({ status: 'up' })
  expect(await (await fetch(`${app.url}/suture/ready`)).json()).toMatchObject({ status: 'ready' })
  await fetch(`${app.url}/own/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'tool', tool_call_id: 'x', content: 'a secret' }] }),
  })
  const [line] = (await app.logged()).slice(-1)
  expect(line).toMatchObject({
    event: 'request',
    id: expect.any(String),
    upstream: 'own',
    overheadMs: expect.any(Number),
    edits: 1,
  })
  const text = app.metrics()
  expect(text).toMatch(/suture_findings_total\{rule="tool-result-orphan"\} 1/)
  expect(text).toMatch(/suture_overhead_seconds_count\{upstream="own"\} 1/)
  expect(text + JSON.stringify(line)).not.toContain('a secret')
})

it('the guard is switched by a header', async () => {
  let body = ''
  const app = await before((request, response) => {
    body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => response.end('{}'))
  })
  const broken = JSON.stringify({ messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] })
  for (const level of ['off', 'lint', 'repair']) {
    await fetch(`${app.url}/own/v1/chat/completions`, { method: 'POST', body: broken, headers: { suture: level } })
    expect(body === broken, level).toBe(level !== 'repair')
  }
})
