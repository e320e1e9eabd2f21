/**
 * Upstreams that go on for ever with something that is no answer: keep-alives, white space, interim answers, headers,
 * half a body. The client gets what there is in time, or an error.
 */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/session.ts'
import { inFrontOf, type Running, running } from './start-gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const PATH = '/own/v1/chat/completions'
const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const REPLY = '{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}'
const EVENTS =
  'data: {"choices":[{"index":0,"delta":{"content":"Yes."}}]}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

async function before(upstream: RequestListener, options: Parameters<typeof inFrontOf>[1] = {}): Promise<Running> {
  const gateway = await inFrontOf(upstream, options)
  closers.push(gateway.close)
  return gateway
}

/** An upstream of bytes, without rules. */
async function beforeBytes(answer: (socket: Socket) => void, options: Parameters<typeof running>[0] = {}) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const gateway = await running({ upstreams: { own: { url: `http://127.0.0.1:${port}` } }, ...options })
  closers.push(async () => {
    await gateway.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return gateway
}

/** Writes the same bytes again and again. */
function repeatedly(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 10)
  socket.once('close', () => clearInterval(timer))
}

const ask = (gateway: Running, headers: Readonly<Record<string, string>> = {}) =>
  fetch(gateway.url + PATH, { method: 'POST', body: BODY, headers })

describe.each([
  ['pass', {}],
  ['record', { 'suture-session': 'one' }],
] as const)('%s mode', (mode, session) => {
  it.each([
    ['comments', 'text/event-stream', ': ping\n\n', EVENTS],
    ['blank lines', 'text/event-stream', '\n\n', EVENTS],
    ['empty events', 'text/event-stream', 'event: ping\ndata: {}\n\n', EVENTS],
    ['white space before JSON', 'application/json', ' \n', REPLY],
  ])('%s reach the client before the answer is there', async (_what, type, early, answer) => {
    let proceed = () => {}
    const gateway = await before(
      (request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': type })
        response.write(early)
        // The answer comes when the client has what came before it: held back, neither would ever arrive.
        proceed = () => response.end(answer)
      },
      { store: memoryStore() },
    )
    const response = await ask(gateway, session)
    const reader = response.body!.getReader()
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toBe(early)
    proceed()
    let rest = ''
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += new TextDecoder().decode(next.value)
    expect(rest).toBe(answer)
    const [line] = await gateway.logged()
    expect(line).toMatchObject({ mode, status: 200, level: 'info' })
    if (mode === 'record')
      expect(await (await fetch(`${gateway.url}/suture/v1/sessions/one/history`)).text()).toContain('Yes.')
  })
})

it('headers reach the client although nothing follows them yet', async () => {
  let proceed = () => {}
  const gateway = await before((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    proceed = () => response.end(REPLY)
  })
  const response = await ask(gateway)
  proceed()
  expect(await response.text()).toBe(REPLY)
})

it('a JSON answer that breaks off after its white space breaks off for the client, too', async () => {
  let proceed = () => {}
  const gateway = await before((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).write(' ')
    proceed = () => response.write(REPLY.slice(0, 20), () => response.destroy())
  })
  const response = await ask(gateway)
  proceed()
  await expect(response.text()).rejects.toThrow('terminated')
  expect((await gateway.logged())[0]).toMatchObject({ incomplete: 'cut', upstreamDisconnected: true })
})

describe('a broken stream is an error for `fetch`, not an end', () => {
  const cut = async (headers: Readonly<Record<string, string>>, drains: boolean) => {
    let proceed = () => {}
    const gateway = await before((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENTS.slice(0, EVENTS.indexOf('\n\n') + 2))
      proceed = () => response.destroy()
    })
    const closed = drains ? gateway.listening.close(60_000, 60_000) : undefined
    const response = await ask(gateway, headers)
    const text = response.text()
    proceed()
    await expect(text).rejects.toThrow('terminated')
    await gateway.listening.close(0)
    await closed
    return response.headers.get('connection')
  }

  it('while the gateway drains', async () => {
    expect(await cut({}, true)).not.toBe('close')
  })

  it('if the client asked for `connection: close`', async () => {
    await cut({ connection: 'close' }, false)
  })

  it('if the time for draining ends, and the client asked for `connection: close`', async () => {
    const gateway = await before((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENTS.slice(0, EVENTS.indexOf('\n\n') + 2))
    })
    const response = await ask(gateway, { connection: 'close' })
    const text = response.text()
    const failed = expect(text).rejects.toThrow('terminated')
    await gateway.listening.close(0)
    await failed
  })
})

describe('an upstream that never comes to its answer is 504 after the time limit', () => {
  const limits = { upstreamTimeoutMs: 100, idleTimeoutMs: 100 }

  it.each([
    ['102 answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103 answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'],
    ['one header, letter by letter', 'HTTP/1.1 200 OK\r\nx-long: ', 'a'],
    ['headers without an end', 'HTTP/1.1 200 OK\r\n', 'x: a\r\n'],
    ['a 103 and a header, letter by letter', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nx-long: ', 'a'],
  ])('%s', async (_what, first, again) => {
    const gateway = await beforeBytes(
      (socket) => {
        socket.write(first)
        repeatedly(socket, again)
      },
      { limits },
    )
    const response = await ask(gateway)
    expect([response.status, response.headers.get('suture-error')]).toEqual([504, 'upstream-timeout'])
  })

  it.each([
    ['trailers', 'x: a\r\n'],
    ['one trailer, letter by letter', 'a'],
  ])('%s without an end break the answer off', async (_what, again) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'
    const gateway = await beforeBytes(
      (socket) => {
        socket.write(`${head}3\r\nYes\r\n0\r\n${again.length === 1 ? 'x: ' : ''}`)
        repeatedly(socket, again)
      },
      { limits },
    )
    await expect((await ask(gateway)).text()).rejects.toThrow('terminated')
  })

  it('a chunk extension without an end breaks the answer off', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'
    const gateway = await beforeBytes(
      (socket) => {
        socket.write(`${head}3\r\nYes\r\n3;x=`)
        repeatedly(socket, 'a')
      },
      { limits },
    )
    await expect((await ask(gateway)).text()).rejects.toThrow('terminated')
  })
})
