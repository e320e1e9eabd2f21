/**
 * Keys stay where they belong: a key of the gateway never reaches an upstream, the key of an upstream never reaches a
 * client, and a page of another site cannot use a gateway that needs no key.
 */
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayOptions, gateway, hashOf, type LogLine } from '../../src/gateway/index.ts'
import { memoryStore } from '../../src/session.ts'
import { raw } from './raw-socket.ts'
import { inFrontOf } from './start-gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const A = 'sk-suture-aaaaaaaaaaaaaaaaaaaaaaaa'
const B = 'sk-suture-bbbbbbbbbbbbbbbbbbbbbbbb'
const PROVIDER = 'sk-provider-0123456789-ABCDEFGHIJ/klmnop'
const keys = [
  { name: 'alice', hash: hashOf(A) },
  { name: 'bob', hash: hashOf(B) },
]
const PATH = '/own/v1/chat/completions'
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const reply = { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] }

/** A gateway with keys in front of an upstream of a few lines. */
async function before(upstream: RequestListener, options: Partial<GatewayOptions> = {}) {
  const lines: LogLine[] = []
  const provider = await inFrontOf(upstream)
  closers.push(provider.close)
  const own = { url: `${provider.url}/own`, provider: 'openai', apiKey: PROVIDER } as const
  const server = gateway({
    upstreams: { own },
    keys,
    log: (line) => lines.push(line),
    store: memoryStore(),
    ...options,
  })
  closers.push(() => server.close())
  const ask = (headers: Record<string, string>, path = PATH, method = 'POST') =>
    server.fetch(new Request(`http://gate.example${path}`, { method, headers, ...(method === 'POST' ? { body } : {}) }))
  return { ask, lines, server }
}

/** One whose upstream keeps what it was asked. */
async function seeing() {
  const came: string[] = []
  const server = await before((request, response) => {
    came.push(`${request.url}\n${request.rawHeaders.join('\n')}`)
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  return { ...server, came }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('a key of the gateway is never forwarded', () => {
  it.each<[string, Record<string, string>, string?]>([
    ['as a bearer', { authorization: `Bearer ${A}` }],
    ['as x-api-key', { 'x-api-key': A }],
    ['as x-goog-api-key', { 'x-goog-api-key': A }],
    ['as api-key', { 'api-key': A }],
    ['as suture-key', { 'suture-key': A }],
    ['in the query', {}, `?key=${A}`],
    ['in two headers', { authorization: `Bearer ${A}`, 'x-api-key': A }],
    ['after an empty header', { authorization: 'Bearer ', 'x-api-key': A }],
    ['in three places', { authorization: `Bearer ${A}`, 'x-goog-api-key': A }, `?key=${A}`],
    ['as suture-key and as a bearer', { 'suture-key': A, authorization: `Bearer ${A}` }],
    ['beside another one as a bearer', { 'suture-key': A, authorization: `Bearer ${B}` }],
    ['beside another one as x-api-key', { authorization: `Bearer ${A}`, 'x-api-key': B }],
    ['beside another one in the query', { 'suture-key': A }, `?key=${B}`],
    ['twice in the query', {}, `?key=${A}&a=1&key=${B}`],
    ['in the query under other names', { 'suture-key': A }, `?api_key=${A}&access_token=${B}&${B}`],
    ['in the query, encoded', { 'suture-key': A }, `?key=${B.replaceAll('-', '%2D')}`],
    ['in a cookie', { 'suture-key': A, cookie: `a=1; key=${B}; c=2` }],
    ['for a proxy', { 'suture-key': A, 'proxy-authorization': `Bearer ${B}` }],
    ['as a password', { 'suture-key': A, authorization: basic(`user:${B}`) }],
    ['without a scheme', { 'suture-key': A, authorization: B }],
    ['with another scheme', { 'suture-key': A, authorization: `Token ${B}` }],
    ['in a header of the client’s own', { 'suture-key': A, 'x-anything': B }],
    ['inside a longer value', { 'suture-key': A, 'x-anything': `prefix${A}suffix` }],
    ['in the referer', { 'suture-key': A, referer: `http://gate.example/?key=${B}` }],
  ])('%s', async (_where, headers, query = '') => {
    const { ask, came, lines, server } = await seeing()
    for (let again = 0; again < 2; again++) {
      const response = await ask(headers, PATH + query)
      expect([response.status, await response.text()]).toEqual([200, JSON.stringify(reply)])
    }
    expect(came.length).toBe(2)
    const output = came.join('\n') + JSON.stringify(lines) + server.metrics()
    for (const key of [A, B, B.replaceAll('-', '%2D'), basic(`user:${B}`).slice(6)]) expect(output).not.toContain(key)
    expect(came.at(-1)).toContain(`authorization\nBearer ${PROVIDER}`)
  })

  it('nor in the path: that is rejected, and not logged', async () => {
    const { ask, came, lines } = await seeing()
    const response = await ask({ 'suture-key': A }, `/own/v1/${B}/models`, 'GET')
    expect([response.status, response.headers.get('suture-error')]).toEqual([400, 'bad-target'])
    expect((await ask({ 'suture-key': A }, `/suture/${A}`, 'GET')).status).toBe(404)
    expect(came).toEqual([])
    expect(JSON.stringify(lines)).not.toContain(A)
    expect(JSON.stringify(lines)).not.toContain(B)
  })

  it('the provider’s credential is passed on unchanged', async () => {
    const { ask, came } = await seeing()
    await ask({ 'suture-key': A, authorization: 'Bearer sk-of-the-caller', cookie: 'a=1' }, `${PATH}?a=%20b&c&key=${A}`)
    expect(came[0]).toContain('/v1/chat/completions?a=%20b&c\n')
    expect(came[0]).toContain('authorization\nBearer sk-of-the-caller')
    expect(came[0]).toContain('cookie\na=1')
    expect(came[0]).not.toContain(PROVIDER)
    await ask({ 'suture-key': A }, `${PATH}?key=of-the-caller`)
    expect(came[1]).toContain('?key=of-the-caller\n')
    expect(came[1]).not.toContain(PROVIDER)
  })

  it('in sessions, too', async () => {
    const { ask, came, server } = await seeing()
    for (const mode of ['record', 'append']) {
      const headers = { 'suture-key': A, 'x-api-key': B, 'suture-session': mode, 'suture-mode': mode }
      expect((await ask(headers)).status).toBe(200)
    }
    expect(came.length).toBe(2)
    expect(came.join()).not.toContain(B)
    const list = await server.fetch(
      new Request('http://gate.example/suture/v1/sessions', { headers: { 'suture-key': A, authorization: B } }),
    )
    expect(((await list.json()) as { sessions: unknown[] }).sessions.length).toBe(2)
  })
})

describe('the key of an upstream never reaches a client', () => {
  const escaped = PROVIDER.replaceAll('/', '\\/')
  const masked = `${PROVIDER.slice(0, 8)}****${PROVIDER.slice(-4)}`
  const secret = { 'suture-key': A }

  it.each([
    ['as it is', 401, `{"error":{"message":"Incorrect API key provided: ${PROVIDER}."}}`],
    ['as JSON writes it', 400, `{"error":{"message":"Bad key ${escaped}"}}`],
    ['as a query', 403, `denied: /v1?key=${encodeURIComponent(PROVIDER)}`],
    ['shortened', 401, `{"error":{"message":"Incorrect API key provided: ${masked}."}}`],
    ['with dots', 401, `{"error":{"message":"Received API Key = sk-...${PROVIDER.slice(-4)}"}}`],
    ['in an answer', 200, `{"headers":{"authorization":"Bearer ${PROVIDER}"}}`],
    ['in a broken stream', 200, `data: {"error":{"message":"key ${PROVIDER}"}}\n\n`],
  ])('%s', async (_how, status, text) => {
    const type = text.startsWith('data:') ? 'text/event-stream' : 'application/json'
    const { ask, lines } = await before((request, response) => {
      request.resume()
      const length = Buffer.byteLength(text)
      response.writeHead(status, `No ${PROVIDER.slice(0, 30)}`, {
        'content-type': type,
        'content-length': length,
        'x-echo': `Bearer ${PROVIDER}`,
      })
      response.end(text)
    })
    for (const path of [PATH, '/own/v1/other']) {
      const response = await ask({ ...secret, suture: 'repair' }, path)
      const shown = await response.text()
      expect(response.status).toBe(status)
      const all = shown + JSON.stringify([...response.headers]) + JSON.stringify(lines)
      for (const form of [PROVIDER, escaped, encodeURIComponent(PROVIDER), masked]) expect(all).not.toContain(form)
      expect(all).not.toContain(`...${PROVIDER.slice(-4)}`)
      expect(shown).toContain('***')
    }
  })

  it('in any pieces, and everything else unchanged', async () => {
    const text = `sk-provider-0123 ${PROVIDER}${PROVIDER} sk-provider-0123456789-ABCDEFGHIJ/klmno`
    const { ask } = await before((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/plain' })
      const bytes = Buffer.from(text)
      const write = (at: number) => {
        if (at >= bytes.length) response.end()
        else response.write(bytes.subarray(at, at + 3), () => setImmediate(write, at + 3))
      }
      write(0)
    })
    const shown = await (await ask(secret, '/own/v1/other')).text()
    expect(shown).toBe(text.replaceAll(PROVIDER, '*'.repeat(PROVIDER.length)))
  })

  it('is not stored in a session either', async () => {
    const echo = { choices: [{ ...reply.choices[0]!, message: { role: 'assistant', content: `Key: ${PROVIDER}` } }] }
    const { ask, server } = await before((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(echo))
    })
    await (await ask({ ...secret, 'suture-session': 's', 'suture-mode': 'append' })).text()
    const url = 'http://gate.example/suture/v1/sessions/s/history'
    const stored = await (await server.fetch(new Request(url, { headers: secret }))).text()
    expect(stored).toContain('Key: ***')
    expect(stored).not.toContain(PROVIDER)
  })

  it('a caller’s own credential is the caller’s: its echo passes', async () => {
    const { ask } = await before((request, response) => {
      request.resume()
      response.writeHead(401).end(`bad key ${request.headers.authorization}`)
    })
    const response = await ask({ ...secret, authorization: `Bearer sk-of-the-caller-0123456789` })
    expect(await response.text()).toBe('bad key Bearer sk-of-the-caller-0123456789')
  })
})

describe('without keys', () => {
  const open = async (hosts: readonly string[] = []) => {
    const server = await inFrontOf((_request, response) => response.end('{}'), { hosts })
    closers.push(server.close)
    return (lines: readonly string[]) =>
      raw(server.url, [`GET /own/v1/models HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`])
  }

  it.each([
    [['Sec-Fetch-Site: cross-site'], 403],
    [['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'], 403],
    [['sec-fetch-site: Cross-Site'], 403],
    [['Sec-Fetch-Site: cross-site', 'Origin: http://localhost:3000'], 403],
    [['Sec-Fetch-Site: something-new'], 403],
    [['Origin: http://localhost', 'Origin: https://evil.example'], 400],
    [['Origin: https://evil.example', 'Origin: http://localhost'], 400],
    [['Origin: http://LOCALHOST:3000'], 200],
    [['Origin: http://localhost.:3000'], 200],
    [['Sec-Fetch-Site: same-site', 'Origin: http://localhost:3000'], 200],
    [['Sec-Fetch-Site: same-site'], 200],
    [['Sec-Fetch-Site: same-origin'], 200],
    [['Sec-Fetch-Site: none'], 200],
    [[], 200],
  ])('%j: %i', async (lines, status) => {
    const ask = await open()
    const expected = new RegExp(`^HTTP/1.1 ${status} `)
    // Also after a request that was let in.
    for (let again = 0; again < 2; again++) {
      expect(await ask(['Host: localhost'])).toMatch(/^HTTP\/1.1 200 /)
      expect(await ask(['Host: localhost', ...lines])).toMatch(expected)
    }
  })

  it.each([
    ['gate.corp.example', 'Gate.CORP.example', 200],
    ['GATE.corp.example', 'gate.corp.example:28873', 200],
    ['gate.corp.example:28873', 'gate.corp.example.', 200],
    ['gate.corp.example.', 'gate.corp.example', 200],
    ['FE80::1', '[fe80::1]:80', 200],
    ['gate.corp.example', 'LOCALHOST:1', 200],
    ['gate.corp.example', 'localhost.', 200],
    ['gate.corp.example', 'gate.corp.example.evil.example', 421],
    ['gate.corp.example', 'other.corp.example', 421],
  ])('hosts: %s can be addressed as %s: %i', async (name, host, status) => {
    const ask = await open([name])
    expect(await ask([`Host: ${host}`])).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('a page of a sibling of a configured host must send its origin, or is rejected', async () => {
    const ask = await open(['gate.corp.example'])
    const host = 'Host: gate.corp.example'
    expect(await ask([host, 'Sec-Fetch-Site: same-site'])).toMatch(/^HTTP\/1.1 403 /)
    expect(await ask([host, 'Sec-Fetch-Site: same-site', 'Origin: https://evil.corp.example'])).toMatch(/ 403 /)
    expect(await ask([host, 'Sec-Fetch-Site: same-origin', 'Origin: https://GATE.corp.example'])).toMatch(/ 200 /)
  })

  it('the name of an upstream in the host is found in any case', async () => {
    const provider = await inFrontOf((request, response) => response.end(request.url))
    closers.push(provider.close)
    const server = gateway({ upstreams: { Own: { url: `${provider.url}/own` } } })
    closers.push(() => server.close())
    const response = await server.fetch(new Request('http://OWN.localhost/v1/models'))
    expect(await response.text()).toBe('/v1/models')
  })
})
