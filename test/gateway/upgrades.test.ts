/**
 * Requests that ask for another protocol: a WebSocket is declined with 426, anything else is ignored.
 */
import type { RequestListener } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { gateway } from '../../src/gateway/index.ts'
import { post, raw } from './raw-socket.ts'
import { inFrontOf } from './start-gateway.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const hi = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })

async function inFront(upstream: RequestListener) {
  const server = await inFrontOf(upstream, {}, '/base')
  closers.push(server.close)
  return server
}

describe('upgrades', () => {
  const upgradeRequest = (upgrade: string, path: string) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      `Upgrade: ${upgrade}`,
      'Sec-WebSocket-Version: 13',
    ].join('\r\n') + '\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

  it('a WebSocket is answered with 426, which makes clients fall back to HTTP, and is logged', async () => {
    let count = 0
    const server = await inFront((_request, response) => void response.end(String(++count)))
    for (const name of ['websocket', 'WebSocket']) {
      const text = await raw(server.url, [upgradeRequest(name, '/own/v1/responses?key=secret')])
      expect(text).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
      expect(text).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/i)
      expect(text).toMatch(/\r\nconnection: upgrade, close\r\n/i)
      expect(text).toMatch(/\r\nsuture-error: upgrade-required\r\n/)
    }
    const line = (await server.logged()).at(-1)!
    expect(line).toMatchObject({ event: 'request', upstream: 'own', path: '/base/v1/responses', status: 426 })
    expect(line).toMatchObject({ level: 'warn', error: 'upgrade-required' })
    expect(JSON.stringify(line)).not.toContain('secret')
    expect(count).toBe(0)
  })

  it('as web objects, too', async () => {
    const server = gateway({ upstreams: { own: { url: 'http://127.0.0.1:9' } } })
    closers.push(() => server.close())
    const headers = { upgrade: 'websocket', connection: 'upgrade' }
    const response = await server.fetch(new Request('http://localhost/own/v1/responses', { headers }))
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'HTTP/1.1'])
  })

  it('any other protocol is ignored: the request is answered normally', async () => {
    const server = await inFront((request, response) => {
      request.resume()
      request.on('end', () => response.end(JSON.stringify(request.headers)))
    })
    const headers = ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
    const text = await raw(server.url, [post('/own/v1/chat/completions', hi, headers)])
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).not.toContain('h2c')
  })
})
