/**
 * The requests and answers that stopped the whole gateway, over HTTP: served in linear time, and so is the next one.
 */
import { afterAll, expect, it } from 'vitest'
import { inFrontOf } from '../gateway/start-gateway.ts'
import { growthOf, LIMIT } from '../growth/measure.ts'

const upstreams: Record<string, (size: number) => string> = {
  backslashes: (size) => `{"error":{"message":"a ${'\\'.repeat(size)}`,
  'nested quotes': (size) => `{'error': '${"\\'".repeat(size)}`,
  words: (size) => JSON.stringify({ error: { message: 'exceed'.repeat(size) } }),
}
let body = '{}'
const gateway = await inFrontOf((request, response) => {
  request.resume().on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end(body))
})
afterAll(() => gateway.close())

const ask = async (path: string, model: string): Promise<number> => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const sent = JSON.stringify({ model, max_tokens: 1, messages })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: sent })
  await response.text()
  return response.status
}

const CLAUDE = '/own/v1/messages'
const CHAT = '/own/v1/chat/completions'

it.each([CLAUDE, CHAT])('a model name of any length (%s)', async (path) => {
  body = '{"error":{"message":"model not found"}}'
  expect(await growthOf((size) => ask(path, 'claude-'.repeat(size)), 4000)).toBeLessThanOrEqual(LIMIT)
  expect(await ask(path, 'claude-sonnet-4-5')).toBe(400)
})

it.each(Object.entries(upstreams))('a rejection that is full of %s', async (_name, made) => {
  const work = (size: number): Promise<number> => {
    body = made(size)
    return ask(CHAT, 'gpt-4o')
  }
  expect(await growthOf(work, 6000)).toBeLessThanOrEqual(LIMIT)
  expect(await ask(CHAT, 'gpt-4o')).toBe(400)
})
