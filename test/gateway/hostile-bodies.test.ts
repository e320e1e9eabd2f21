/**
 * Bodies that are small on the wire and costly to read pass through a gateway unchanged, are reported, and leave no
 * memory behind.
 */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, expect, it } from 'vitest'
import { bodies, packed } from '../../bench/hostile-bodies.ts'
import { inFrontOf } from './start-gateway.ts'

const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Answers with the hash of what came. */
const gateway = await inFrontOf((request, response) => {
  const hash = createHash('sha256')
  request.on('data', (piece) => hash.update(piece))
  request.on('end', () => response.end(hash.digest('hex')))
})
afterAll(() => gateway.close())
afterEach(async () => {
  await gateway.logged()
  expect(gateway.metrics()).toMatch(/^suture_buffered_bytes 0$/m)
})

const post = async (body: string | Uint8Array, headers = {}) => {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  return (await fetch(`${gateway.url}/own/v1/chat/completions`, { ...sent, body: body as string })).text()
}

const shapes = [
  'part of numbers',
  'part of empty objects',
  'messages of nulls',
  'calls in one message',
  'a result of numbers',
  'results with one id',
]

it.each(shapes)('%s: the bytes arrive, the log and the metrics say that they were not checked', async (shape) => {
  const body = [...bodies(1_200_000, new RegExp(`^openai-chat ${shape}$`))].find((one) => one.shape === shape)!
  const before = passedIn(gateway.metrics())
  expect(await post(body.text)).toBe(hashOf(body.text))
  const [line] = (await gateway.logged()).slice(-1)
  expect(line).toMatchObject({ status: 200, passed: expect.stringMatching(/^too-many-(?:values|findings)$/) })
  expect(passedIn(gateway.metrics())).toBe(before + 1)
  const compressed = packed(body)
  expect(await post(compressed, { 'content-encoding': 'gzip' })).toBe(hashOf(compressed))
  expect((await gateway.logged()).at(-1)).toMatchObject({ passed: line!['passed'] })
})

function passedIn(metrics: string): number {
  return [...metrics.matchAll(/^suture_passed_total\{why="too-many-\w+"\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}

it('a body whose values would never fit into the memory of the gateway is passed on', async () => {
  const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a'.repeat(600_000) }] })
  const small = await inFrontOf((request, response) => void request.resume().on('end', () => response.end('{}')), {
    limits: { maxBufferedBytes: 1_000_000 },
  })
  const path = `${small.url}/own/v1/chat/completions`
  expect((await fetch(path, { method: 'POST', body: text })).status).toBe(200)
  expect((await small.logged())[0]).toMatchObject({ passed: 'too-large' })
  expect(small.metrics()).toMatch(/^suture_buffered_bytes 0$/m)
  await small.close()
})
