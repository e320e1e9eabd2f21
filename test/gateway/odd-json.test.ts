/**
 * JSON that no client sends: objects where a text is expected, keys of prototypes, 10,000 levels, ids that no store can
 * index. The gateway answers with a 4xx or passes the request on, and never fails itself.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { compactorForAppend } from '../../src/cli/server/compactor.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { running } from './start-gateway.ts'

const gateway = await running({ store: memoryStore(), compactor: compactorForAppend() })
afterAll(() => gateway.close())

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const VALUES: readonly (readonly [string, string])[] = [
  ['toString', '{"toString":1}'],
  ['__proto__', '{"__proto__":{"role":"user"}}'],
  ['constructor', '{"constructor":{"prototype":1}}'],
  ['toJSON', '{"toJSON":1}'],
  ['then', '{"then":{"then":1}}'],
  ['length', '{"length":1e9}'],
  ['10,000 levels', deep(10_000)],
  ['100,000 levels', deep(100_000)],
]
const BODIES: readonly (readonly [string, string, (value: string) => string])[] = [
  [
    'a role',
    '/openai/v1/chat/completions',
    (value) => `{"model":"gpt-4o","messages":[{"role":${value},"content":"a"}]}`,
  ],
  [
    'content',
    '/openai/v1/chat/completions',
    (value) => `{"model":"gpt-4o","messages":[{"role":"user","content":${value}}]}`,
  ],
  [
    'a model',
    '/openai/v1/chat/completions',
    (value) => `{"model":${value},"messages":[{"role":"user","content":"a"}]}`,
  ],
  [
    'a type',
    '/anthropic/v1/messages',
    (value) =>
      `{"model":"claude-sonnet-4-5","max_tokens":5,"messages":[{"role":"user","content":[{"type":${value}}]}]}`,
  ],
  [
    'an id',
    '/anthropic/v1/messages',
    (value) =>
      `{"model":"claude-sonnet-4-5","max_tokens":5,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":${value},"name":"n","input":{}}]}]}`,
  ],
  [
    'a tool choice',
    '/openai/v1/chat/completions',
    (value) =>
      `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"function","function":{"name":${value}}}}`,
  ],
  [
    'instructions',
    '/openai/v1/responses',
    (value) => `{"model":"gpt-5.4","instructions":${value},"input":[{"role":"user","content":"a"}]}`,
  ],
]

async function ask(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, text: await response.text() }
}

describe.each(['append', 'record', 'pass'])('%s mode', (mode) => {
  it.each(VALUES)('%s', async (name, value) => {
    for (const [place, path, body] of BODIES) {
      const session = {
        'suture-mode': mode,
        ...(mode === 'pass' ? {} : { 'suture-session': `${mode}-${VALUES.findIndex(([one]) => one === name)}` }),
      }
      const { status, text } = await ask(path, body(value), session)
      expect(status, `${place}: ${text.slice(0, 200)}`).toBeLessThan(500)
      expect(text).not.toMatch(/\n\s+at /)
    }
  })
})

describe('the session API', () => {
  it.each([
    'after=%00',
    'after=a%00b',
    `after=${'x'.repeat(9000)}`,
    'after=%0a',
    'after=%F0%9F%98%80',
    'limit=%00',
    'limit=-1',
  ])('?%s is a 400', async (query) => {
    expect((await fetch(`${gateway.url}/suture/v1/sessions?${query}`)).status).toBe(400)
  })

  it.each(['%00', 'a%00', 'x'.repeat(9000), '%ff', '__proto__', '%0d%0a'])('a session %s is a 4xx', async (id) => {
    const { status } = await fetch(`${gateway.url}/suture/v1/sessions/${id}`)
    expect(Math.floor(status / 100)).toBe(4)
  })

  it.each(VALUES)('a body with %s is a 4xx', async (_name, value) => {
    expect(
      (
        await ask('/openai/v1/chat/completions', '{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}', {
          'suture-session': 'own',
        })
      ).status,
    ).toBe(200)
    for (const [action, key] of [
      ['fork', 'id'],
      ['revert', 'turn'],
      ['plan', 'budget'],
      ['compact', 'pins'],
    ]) {
      const { status, text } = await ask(`/suture/v1/sessions/own/${action}`, `{"${key}":${value}}`)
      expect([200, 400, 404, 409], `${action}: ${text.slice(0, 200)}`).toContain(status)
    }
  })

  it.each([
    ['the id of an operation over 8 kB', { 'suture-operation': 'x'.repeat(8200) }],
    ['the id of a session over 8 kB', { 'suture-session': 'x'.repeat(8200) }],
  ])('%s is a 400', async (_what, headers) => {
    const session = { 'suture-session': 'long', 'suture-mode': 'append', ...headers }
    const body = '{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}'
    expect((await ask('/openai/v1/chat/completions', body, session as Record<string, string>)).status).toBe(400)
  })
})

it('HEAD has no body, also where a body of the request was not read', async () => {
  const { raw } = await import('./raw-socket.ts')
  const text = await raw(gateway.url, [
    'HEAD /suture/openapi.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{',
  ])
  expect(text).toMatch(/^HTTP\/1.1 200 /)
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('')
})
