/**
 * What the gateway holds in memory: counted as it arrives, compressed and unpacked, and bounded for one request and for
 * all of them together.
 */
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { gateway } from '../../src/gateway/index.ts'
import { memoryStore } from '../../src/session.ts'
import { command } from './cli-process.ts'
import { inFrontOf, type Running } from './start-gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const suture = await command()
afterAll(() => suture.close())

const PATH = '/own/v1/chat/completions'
const reply = (content: string) =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
const history = (content: string) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
const answering =
  (body: string, status = 200): RequestListener =>
  (request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  }

async function before(upstream: RequestListener, options: Parameters<typeof inFrontOf>[1] = {}): Promise<Running> {
  const server = await inFrontOf(upstream, options)
  closers.push(server.close)
  return server
}

function held(server: { metrics(): string }): number {
  return Number(/^suture_buffered_bytes (\d+)$/m.exec(server.metrics())![1])
}

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 5))
}

interface Upload {
  readonly socket: Socket
  received(): string
}

/** A request that announces a body, sends only some of it and stops. */
function stopped(url: string, head: readonly string[], part: Uint8Array, path = PATH): Upload {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (piece) => {
    received += piece.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${head.join('\r\n')}\r\n\r\n`)
  socket.write(part)
  closers.push(() => socket.destroy())
  return { socket, received: () => received }
}

describe('24 uploads that stop', () => {
  const PART = 1_000_000
  const LIMIT = 8 * PART
  const chunk = Buffer.concat([Buffer.from(`${PART.toString(16)}\r\n`), Buffer.alloc(PART, 32), Buffer.from('\r\n')])
  it.each([
    ['with a length', ['Content-Length: 2000000'], Buffer.alloc(PART, 32), PATH],
    ['in chunks', ['Transfer-Encoding: chunked'], chunk, PATH],
    ['to a path that is not guarded', ['Content-Length: 2000000'], Buffer.alloc(PART, 32), '/own/v1/files'],
    ['to the session API', ['Content-Length: 2000000'], Buffer.alloc(PART, 32), '/suture/v1/sessions/a/revert'],
  ])(
    '%s: not more than the limit is held, the rest is 503, and everything is released',
    async (_what, head, part, path) => {
      const server = await before(answering(reply('Yes.')), {
        limits: { maxBodyBytes: 4 * PART, maxBufferedBytes: LIMIT },
        store: memoryStore(),
      })
      const seed = { 'suture-session': 'a', 'content-type': 'application/json' }
      await (await fetch(server.url + PATH, { method: 'POST', headers: seed, body: history('Hi') })).text()
      await server.logged()
      let most = 0
      const uploads = Array.from({ length: 24 }, () => stopped(server.url, head, part, path))
      const turnedAway = () => uploads.filter(({ received }) => received().includes('"code":"overloaded"')).length
      await until(() => {
        most = Math.max(most, held(server))
        return turnedAway() >= 16 && held(server) > LIMIT - 2 * PART
      })
      expect(most).toBeLessThanOrEqual(LIMIT)
      for (const { received } of uploads)
        if (received() !== '') expect(received()).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 1/)
      for (const { socket } of uploads) socket.destroy()
      await until(() => held(server) === 0)
      expect((await fetch(server.url + PATH, { method: 'POST', body: history('Hi') })).status).toBe(200)
    },
  )

  it('do not fill the process: 480 MB that are sent, 64 MiB that are held', async () => {
    const flags = ['--offline', '--store', 'none', '--log', 'off', '--max-buffered-bytes', String(64 * 1024 * 1024)]
    const { url } = await suture.serve(flags)
    const path = '/openai/v1/chat/completions'
    const big = Buffer.alloc(20_000_000, 32)
    const uploads = Array.from({ length: 24 }, () => stopped(url, ['Content-Length: 60000000'], big, path))
    await until(() => uploads.filter(({ received }) => received().includes('overloaded')).length >= 20)
    const text = await (await fetch(`${url}/suture/metrics`)).text()
    expect(Number(/^suture_buffered_bytes (\d+)$/m.exec(text)![1])).toBeLessThanOrEqual(64 * 1024 * 1024)
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)![1])).toBeLessThan(350e6)
  })
})

describe('bodies', () => {
  it('decompressed bytes count: a small compressed body is 503 if the process has no memory for it', async () => {
    const server = await before(answering(reply('Yes.')), { limits: { maxBodyBytes: 4e6, maxBufferedBytes: 1e6 } })
    const ask = (size: number) =>
      fetch(server.url + PATH, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(history('x'.repeat(size))),
      })
    expect((await ask(500_000)).status).toBe(200)
    const large = await ask(2_000_000)
    expect([large.status, large.headers.get('suture-error')]).toEqual([503, 'overloaded'])
    expect((await ask(5_000_000)).headers.get('suture-error')).toMatch(/overloaded|body-too-large/)
    await server.logged()
    expect(held(server)).toBe(0)
  })

  it('a body stays counted until its answer has ended', async () => {
    let finish = () => {}
    const server = await before((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')
      finish = () => void response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
    })
    const body = history('x'.repeat(100_000))
    const response = await fetch(server.url + PATH, { method: 'POST', body })
    const reader = response.body!.getReader()
    await reader.read()
    expect(held(server)).toBe(body.length)
    finish()
    while (!(await reader.read()).done);
    await server.logged()
    expect(held(server)).toBe(0)
  })

  it('as a web-standard handler they are counted as well', async () => {
    const server = gateway({
      upstreams: {},
      limits: { maxBodyBytes: 4e6, maxBufferedBytes: 1e6 },
      store: memoryStore(),
    })
    closers.push(() => server.close())
    const own = await before(answering(reply('Yes.')))
    const proxy = gateway({
      upstreams: { own: { url: `${own.url}/own` } },
      limits: { maxBodyBytes: 4e6, maxBufferedBytes: 1e6 },
    })
    closers.push(() => proxy.close())
    const ask = (size: number) =>
      proxy.fetch(new Request(`http://localhost${PATH}`, { method: 'POST', body: history('x'.repeat(size)) }))
    const large = await ask(2e6)
    expect([large.status, large.headers.get('suture-error')]).toEqual([503, 'overloaded'])
    const fine = await ask(1000)
    expect([fine.status, await fine.text()]).toEqual([200, reply('Yes.')])
    expect(held(proxy)).toBe(0)
  })

  it('a body in thousands of single bytes arrives unchanged', async () => {
    let came = ''
    const server = await before((request, response) => {
      came = ''
      request.on('data', (piece) => {
        came += piece
      })
      request.on('end', () => response.end(reply('Yes.')))
    })
    const body = history('0123456789'.repeat(5_000))
    const bytes = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
    const upload = stopped(server.url, ['Transfer-Encoding: chunked'], Buffer.from(`${bytes}0\r\n\r\n`))
    await until(() => upload.received().includes('Yes.'))
    expect(came).toBe(body)
  })
})

describe('answers that are not streamed', () => {
  const limits = { maxResponseBytes: 100_000 }
  const large = reply('x'.repeat(300_000))

  it.each([
    [200, large],
    [400, `{"error":{"message":"${'x'.repeat(2_000_000)}"}}`],
  ])('a larger one (%i) is passed on unread, and the log has it', async (status, body) => {
    const server = await before(answering(body, status), { limits })
    const response = await fetch(server.url + PATH, { method: 'POST', body: history('Hi') })
    expect(response.status).toBe(status)
    expect((await response.text()) === body).toBe(true)
    expect((await server.logged()).at(-1)).toMatchObject({ passed: 'too-large', status })
    expect(held(server)).toBe(0)
  })

  it('passed on if the process has no memory for it, too', async () => {
    const server = await before(answering(large), { limits: { maxBufferedBytes: 150_000 } })
    const response = await fetch(server.url + PATH, { method: 'POST', body: history('Hi') })
    expect([response.status, (await response.text()) === large]).toEqual([200, true])
    await server.logged()
    expect(held(server)).toBe(0)
  })

  it('in record mode it is passed on; in append mode it is 502', async () => {
    const server = await before(answering(large), { limits, store: memoryStore() })
    const ask = (mode: string) =>
      fetch(server.url + PATH, {
        method: 'POST',
        headers: { 'suture-session': `big-${mode}`, 'suture-mode': mode },
        body: history('Hi'),
      })
    const recorded = await ask('record')
    expect([recorded.status, (await recorded.text()) === large]).toEqual([200, true])
    expect(recorded.headers.get('suture-warning')).toBe('not-recorded; code=answer-too-large')
    expect((await server.logged()).at(-1)).toMatchObject({ warning: 'not-recorded: answer-too-large' })
    const kept = await ask('append')
    expect([kept.status, kept.headers.get('suture-error')]).toEqual([502, 'answer-too-large'])
    expect((await server.logged()).at(-1)).toMatchObject({ error: 'answer-too-large' })
    const history_ = await fetch(`${server.url}/suture/v1/sessions/big-append/history`)
    expect(await history_.json()).toEqual({ messages: [] })
  })

  it('a client that does not read a large one pauses the upstream', async () => {
    let written = 0
    const server = await before(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          written += 64_000
          if (written < 200e6 && !response.destroyed) response.write('x'.repeat(64_000), () => setImmediate(more))
        }
        more()
      },
      { limits },
    )
    const body = history('Hi')
    const { socket } = stopped(server.url, [`Content-Length: ${body.length}`], Buffer.from(body))
    socket.pause()
    let last = -1
    while (written !== last || written === 0) {
      last = written
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(written).toBeLessThan(60e6)
    socket.destroy()
    await server.logged()
    expect(held(server)).toBe(0)
  })
})

it('an export of the session API is written record by record, with the same content', async () => {
  const server = await before(answering(reply('Yes.')), { store: memoryStore() })
  const headers = { 'suture-session': 'a' }
  await (await fetch(server.url + PATH, { method: 'POST', headers, body: history('Hi') })).text()
  const response = await fetch(`${server.url}/suture/v1/sessions/a/export`)
  const { records } = (await response.json()) as { records: { seq?: number }[] }
  expect(records.length).toBeGreaterThan(1)
  expect(response.headers.get('content-length')).toBeNull()
})
