/**
 * What a gateway answers at its memory limit, during shutdown, or without its store; and how its requests are
 * distinguished.
 */
import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { Store } from '../../src/session/index.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { inFrontOf } from './start-gateway.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

const hi = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const whole = JSON.stringify({ choices: [{ index: 0, message: { content: 'Yes.' }, finish_reason: 'stop' }] })

async function before(upstream: RequestListener, options: Parameters<typeof inFrontOf>[1] = {}) {
  const gateway = await inFrontOf(upstream, options)
  closers.push(gateway.close)
  return { ...gateway, ask: () => fetch(`${gateway.url}/own/v1/chat/completions`, { method: 'POST', body: hi }) }
}

it('a gateway at its memory limit accepts no more, and does again when memory is released', async () => {
  const waiting: (() => void)[] = []
  let arrived = () => {}
  const first = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const { ask, metrics } = await before(
    (_request, response) => {
      waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(whole))
      arrived()
    },
    { limits: { maxBufferedBytes: hi.length + 10 } },
  )
  const held = ask()
  await first
  const rejected = await ask()
  expect([rejected.status, rejected.headers.get('suture-error')]).toEqual([503, 'overloaded'])
  expect(rejected.headers.get('retry-after')).toBe('1')
  waiting[0]!()
  expect(await (await held).text()).toBe(whole)
  expect(metrics()).toMatch(/^suture_buffered_bytes 0$/m)
  const again = ask()
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  waiting[1]!()
  expect((await again).status).toBe(200)
})

it('is not ready without its store, but healthy', async () => {
  const store: Store = { ...memoryStore(), head: () => Promise.reject(new Error('gone')) }
  const { url } = await before((_request, response) => response.end(), { store })
  const ready = await fetch(`${url}/suture/ready`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'store-failed' }])
  expect((await fetch(`${url}/suture/health`)).status).toBe(200)
})

it('every request has its own id, in its answer and in its log line', async () => {
  const { ask, logged } = await before((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
  )
  const ids = []
  for (let i = 0; i < 3; i++) ids.push((await ask()).headers.get('suture-request-id'))
  expect(new Set(ids).size).toBe(3)
  expect((await logged()).map(({ id }) => id)).toEqual(ids)
})
