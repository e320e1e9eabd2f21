/**
 * A request that asks for append mode gets its conversation, or an error with a code: it is never forwarded with only
 * its newest messages.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/session.ts'
import { running } from './start-gateway.ts'

const store = memoryStore()
const [gateway, none, off] = await Promise.all([
  running({ store }),
  running(),
  running({ store: memoryStore(), guard: { level: 'off' } }),
])
afterAll(() => Promise.all([gateway.close(), none.close(), off.close()]))

type Loose = ReturnType<typeof JSON.parse>
const CHAT = '/openai/v1/chat/completions'
const plain = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'And in Rome?' }] })

async function ask(path: string, headers: Record<string, string> = {}, body: Loose = plain, at = gateway) {
  const seen = at.contract.requests.length
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer me',
      'suture-session': 'rome',
      'suture-mode': 'append',
      ...headers,
    },
    body,
  })
  const text = await response.text()
  const sent = at.contract.requests.slice(seen)
  return { status: response.status, code: response.headers.get('suture-error'), text, sent, headers: response.headers }
}

describe('never forwarded', () => {
  it.each([
    ['suture: off', CHAT, { suture: 'off' }, plain, 400, 'bad-session'],
    ['a content coding that is not known', CHAT, { 'content-encoding': 'zstd' }, plain, 415, 'unknown-encoding'],
    ['two content codings', CHAT, { 'content-encoding': 'gzip, gzip' }, plain, 415, 'unknown-encoding'],
    ['an endpoint without a history', '/openai/v1/embeddings', {}, plain, 400, 'bad-session'],
    ['an endpoint that counts tokens', '/anthropic/v1/messages/count_tokens', {}, plain, 400, 'bad-session'],
    ['an encoded slash', '/openai/v1/chat%2Fcompletions', {}, plain, 400, 'bad-session'],
    ['no JSON', CHAT, {}, 'hello', 400, 'bad-session'],
    ['no messages', CHAT, {}, '{"model":"gpt-4o"}', 400, 'bad-session'],
    ['an invalid mode', '/openai/v1/embeddings', { 'suture-mode': 'apend' }, plain, 400, 'bad-session'],
    [
      'a signed request',
      '/bedrock/model/anthropic.claude-sonnet-4-5-v1:0/converse',
      { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA/1' },
      '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
      400,
      'bad-session',
    ],
    [
      'a conversation that the provider holds',
      '/openai/v1/responses',
      {},
      '{"model":"gpt-5","input":"Hi","previous_response_id":"resp_1"}',
      400,
      'bad-session',
    ],
  ] as const)('%s', async (_name, path, headers, body, status, code) => {
    const answer = await ask(path, headers, body)
    expect([answer.status, answer.code, answer.sent.length]).toEqual([status, code, 0])
  })

  it('a guard that is off for all', async () => {
    const answer = await ask(CHAT, {}, plain, off)
    expect([answer.status, answer.code, answer.sent.length]).toEqual([400, 'bad-session', 0])
  })

  it('a gateway without a store', async () => {
    const answer = await ask(CHAT, {}, plain, none)
    expect([answer.status, answer.code, answer.sent.length]).toEqual([501, 'not-configured', 0])
  })

  it('PUT and PATCH', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const headers = { 'suture-session': 'rome', 'suture-mode': 'append' }
      const response = await fetch(gateway.url + CHAT, { method, headers, body: plain })
      expect([response.status, response.headers.get('suture-error')]).toEqual([400, 'bad-session'])
    }
  })
})

describe('has its conversation', () => {
  it.each([
    ['as it is usually asked for', CHAT, {}, plain],
    ['with a slash at the end', `${CHAT}/`, {}, plain],
    ['with an encoded letter', '/openai/v1/%63hat/completions', {}, plain],
    ['with a packed body', CHAT, { 'content-encoding': 'gzip' }, gzipSync(plain)],
    ['with `suture: lint`', CHAT, { suture: 'lint' }, plain],
  ] as const)('%s', async (name, path, headers, body) => {
    const session = { 'suture-session': `rome-${name.length}` }
    await ask(CHAT, session)
    const { sent, status } = await ask(path, { ...headers, ...session }, body)
    // The contract may not serve such a path, but what it was sent is the whole conversation.
    expect((sent[0]?.body as Loose)?.messages.length, String(status)).toBe(3)
  })

  it('Gemini with an encoded colon', async () => {
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
    const session = { 'suture-session': 'gemini' }
    await ask('/gemini/v1beta/models/gemini-2.5-flash:generateContent', session, body)
    const { sent, status } = await ask('/gemini/v1beta/models/gemini-2.5-flash%3AgenerateContent', session, body)
    expect((sent[0]?.body as Loose)?.contents.length, String(status)).toBe(3)
  })
})

describe('what has no messages is forwarded in every mode', () => {
  it('a list of models', async () => {
    const headers = { 'suture-session': 'rome', 'suture-mode': 'append', authorization: 'Bearer me' }
    const seen = gateway.contract.requests.length
    const response = await fetch(`${gateway.url}/openai/v1/models`, { headers })
    expect(response.headers.get('suture-error')).toBe(null)
    expect(gateway.contract.requests.length).toBeGreaterThanOrEqual(seen)
  })
})

describe('requests that cannot be recorded continue, with a warning', () => {
  it('without a store', async () => {
    const { status, headers, sent } = await ask(CHAT, { 'suture-mode': 'record' }, plain, none)
    expect([status, headers.get('suture-warning'), sent.length]).toEqual([200, 'not-recorded; code=not-configured', 1])
  })

  it('with `suture: off` and unread bodies: in the log', async () => {
    await ask(CHAT, { 'suture-mode': 'record', suture: 'off' })
    await ask(CHAT, { 'suture-mode': 'record', 'content-encoding': 'zstd' })
    const lines = (await gateway.logged()).filter((line) => line['warning'] !== undefined)
    expect(lines.map((line) => [line.level, line['warning']])).toEqual([
      ['warn', 'not-recorded: off'],
      ['warn', 'not-recorded: unknown-encoding'],
    ])
  })
})
