/**
 * Upstreams that answer in ways of their own, byte for byte: what the client gets, and that the next request is served.
 */
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { gateway } from '../../src/gateway/index.ts'
import { memoryStore } from '../../src/session.ts'
import { post, raw } from './raw-socket.ts'
import { running } from './start-gateway.ts'

/** What is done when a request has come. */
let answer: (socket: Socket) => void = () => {}
const upstream = createServer((socket) => {
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (head < 0 || text.length - head - 4 < length) return
    text = ''
    answer(socket)
  })
})
await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
const { port } = upstream.address() as { port: number }
const server = await running({ upstreams: { own: { url: `http://127.0.0.1:${port}` } }, store: memoryStore() })
afterAll(async () => {
  await server.close()
  upstream.close()
})

const REPLY = '{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}'
const GOOD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${REPLY.length}\r\n\r\n${REPLY}`
const HISTORY = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
const CHAT = '/own/v1/chat/completions'
const OTHER = '/own/v1/other'

const says = (bytes: string | Uint8Array) => {
  answer = (socket) => void socket.write(bytes)
}

afterEach(async () => {
  says(GOOD)
  expect(await raw(server.url, [post(CHAT, HISTORY)])).toMatch(/^HTTP\/1.1 200 OK/)
})

describe.each([CHAT, OTHER])('%s', (path) => {
  it.each([
    ['a control character', Buffer.from('HTTP/1.1 200 O\u0001K\r\ncontent-length: 2\r\n\r\n{}')],
    ['letters beyond Latin', Buffer.from('HTTP/1.1 200 漢字\r\ncontent-length: 2\r\n\r\n{}')],
  ])('a reason with %s is replaced', async (_what, bytes) => {
    says(bytes)
    expect(await raw(server.url, [post(path, HISTORY)])).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\{\}$/)
  })

  it.each([
    ['breaks off inside its headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['speaks no HTTP', 'SSH-2.0-x\r\n'],
    ['has a control character in a header', 'HTTP/1.1 200 OK\r\nx: a\u0001b\r\ncontent-length: 0\r\n\r\n'],
    ['says two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}!'],
    ['changes the protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['has an invalid status', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'],
  ])('one that %s is 502', async (_what, bytes) => {
    answer = (socket) => void socket.end(bytes)
    expect(await raw(server.url, [post(path, HISTORY)])).toMatch(/^HTTP\/1.1 502 [\s\S]*upstream-failed/)
  })

  it('informational responses (1xx) are not the answer', async () => {
    says(`HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n${GOOD}`)
    expect(await raw(server.url, [post(path, HISTORY)])).toMatch(
      /^HTTP\/1.1 200 OK\r\n[\s\S]*"finish_reason":"stop"\}\]\}$/,
    )
  })
})

it('an answer without a body that announces a length is passed on, and its connection stays', async () => {
  const ask = `GET ${OTHER} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const last = `GET /suture/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
  says('HTTP/1.1 304 Not Modified\r\ncontent-length: 10\r\netag: x\r\n\r\n')
  const text = await raw(server.url, [ask, last], 100)
  expect(text).toMatch(/^HTTP\/1.1 304 Not Modified\r\ncontent-length: 10\r\netag: x\r\n/)
  expect(text).toContain('{"status":"up"}')
})

it('a status above 599 is passed on unchanged, and is 502 for web objects', async () => {
  says('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}')
  expect(await raw(server.url, [post(OTHER, HISTORY)])).toMatch(/^HTTP\/1.1 999 Odd\r\n/)
  const web = gateway({ upstreams: { own: { url: `http://127.0.0.1:${port}` } } })
  const response = await web.fetch(new Request(`http://localhost${OTHER}`))
  expect([response.status, response.headers.get('suture-error')]).toEqual([502, 'upstream-failed'])
  expect(web.metrics()).toMatch(/^suture_in_flight 0$/m)
  await web.close()
})

it('errors and responses of the gateway have a content-length', async () => {
  for (const path of ['/suture/health', '/suture/nothing', '/unlisted/v1']) {
    const text = await raw(server.url, [`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`])
    const [head, body] = text.split('\r\n\r\n')
    expect(head).toContain(`content-length: ${body!.length}`)
  }
})

describe('a connection that breaks before the answer begins', () => {
  const breaks = (times: number) => {
    let count = 0
    answer = (socket) => void (++count > times ? socket.write(GOOD) : socket.destroy())
    return () => count
  }

  it('is sent once more, and the log has it', async () => {
    const count = breaks(1)
    expect(await raw(server.url, [post(CHAT, HISTORY)])).toMatch(/^HTTP\/1.1 200 OK/)
    expect(count()).toBe(2)
    expect((await server.logged()).at(-1)).toMatchObject({ status: 200, resent: expect.any(String) })
  })

  it('and not a third time', async () => {
    const count = breaks(5)
    expect(await raw(server.url, [post(CHAT, HISTORY)])).toMatch(/^HTTP\/1.1 502 /)
    expect(count()).toBe(2)
  })

  it.each([
    [CHAT, ['suture: repair']],
    [CHAT, ['suture: off']],
    [CHAT, ['suture: repair', 'suture-session: broken']],
    [OTHER, []],
  ])('nor if recovery is off: %s %j', async (path, headers) => {
    const count = breaks(5)
    expect(await raw(server.url, [post(path, HISTORY, headers)])).toMatch(/^HTTP\/1.1 502 /)
    expect(count()).toBe(1)
  })
})

it('a client that disconnects before the answer is not an error of the gateway', async () => {
  const asked = new Promise<void>((resolve) => {
    answer = () => resolve()
  })
  const leaving = new AbortController()
  const left = fetch(server.url + CHAT, { method: 'POST', body: HISTORY, signal: leaving.signal }).catch(() => 'left')
  await asked
  leaving.abort()
  expect(await left).toBe('left')
  const line = (await server.logged()).at(-1)!
  expect(line).toMatchObject({ level: 'warn', status: 499, error: 'client-disconnected', clientDisconnected: true })
  expect(line).not.toHaveProperty('stack')
})
