/**
 * Recording never stops a request and never changes an answer: many branches, call ids that clients rename, cut answers, agents' own session ids.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/session.ts'
import { openSession } from '../untyped-api.ts'
import { inFrontOf, type Running } from './start-gateway.ts'

type Loose = ReturnType<typeof JSON.parse>

const store = memoryStore()
/** What the upstream answers next, by the number of its request. */
let next: (body: Loose, response: ServerResponse, path: string) => void
const gate: Running = await inFrontOf(upstream, { store })
afterAll(() => gate.close())

async function upstream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  next(JSON.parse(Buffer.concat(pieces).toString()), response, request.url ?? '')
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const chat = (message: object, finish = 'stop') => ({
  id: 'x',
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
})
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'Bash', arguments: args } })
const user = (content: string) => ({ role: 'user', content })

async function ask(path: string, body: object, headers: Record<string, string>) {
  const response = await fetch(`${gate.url}/own${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer me', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text().catch((error: Error) => String(error))
  const { headers: got } = response
  return { status: response.status, id: got.get('suture-session'), warning: got.get('suture-warning'), text }
}

const askChat = (id: string, messages: readonly unknown[], more: Record<string, string> = {}, body: object = {}) =>
  ask('/v1/chat/completions', { model: 'gpt-4o', messages, ...body }, { 'suture-session': id, ...more })

async function view(id: string, kind = 'history'): Promise<Loose> {
  const headers = { authorization: 'Bearer me' }
  return (await fetch(`${gate.url}/suture/v1/sessions/${encodeURIComponent(id)}/${kind}`, { headers })).json()
}

async function branchesOf(id: string): Promise<string[]> {
  await gate.logged()
  return (await gate.ids()).filter((one) => one === id || one.startsWith(`${id}~`))
}

describe('many branches', () => {
  it('the same prompt sixty times: every request is answered and recorded, and each answer can be continued', async () => {
    let count = 0
    next = (_body, response) => json(response, chat({ content: `answer ${++count}` }))
    const all = []
    for (let i = 0; i < 60; i++) all.push(await askChat('same', [user('Hi')]))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(all.filter(({ warning }) => warning !== null)).toEqual([])
    expect((await branchesOf('same')).length).toBe(60)
    const { id } = all[49]!
    const history = [user('Hi'), { role: 'assistant', content: 'answer 50' }, user('Go on.')]
    expect((await askChat('same', history)).id).toBe(id)
    expect((await view(id!)).messages.map((one: Loose) => one.content)).toEqual([
      'Hi',
      'answer 50',
      'Go on.',
      'answer 61',
    ])
  })

  it('an unknown history of a session with many branches begins one of its own, whole', async () => {
    next = (_body, response) => json(response, chat({ content: 'yes' }))
    const history = [user('Hi'), { role: 'assistant', content: 'answer X' }, user('And?')]
    const { id, status } = await askChat('same', history)
    expect(status).toBe(200)
    expect((await view(id!)).messages.map((one: Loose) => one.content)).toEqual(['Hi', 'answer X', 'And?', 'yes'])
  })

  it('the id of a branch can be requested, even if the id of its session is long', async () => {
    const id = 'x'.repeat(128)
    next = (_body, response) => json(response, chat({ content: 'yes' }))
    await askChat(id, [user('one')])
    const branch = await askChat(id, [user('two')])
    expect((await view(branch.id!)).messages.length).toBe(2)
  })

  it('a session id in another dialect: recorded in a branch', async () => {
    next = (_body, response, path) =>
      json(
        response,
        path.endsWith('messages')
          ? { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' }
          : chat({ content: 'Hello.' }),
      )
    await askChat('switched', [user('Hi')])
    const body = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user('Hi')] }
    const other = await ask('/v1/messages', body, { 'suture-session': 'switched' })
    expect([other.status, other.id, other.warning]).toEqual([200, 'switched~2', null])
  })
})

describe('ids of calls that the client writes otherwise', () => {
  it('renamed in every request (Kimi Code): one session, every result with its call', async () => {
    next = (body, response) => {
      const round = body.messages.filter((one: Loose) => one.role === 'tool').length
      json(response, chat({ content: null, tool_calls: [call(`Bash:${round}`, `{"n":${round}}`)] }, 'tool_calls'))
    }
    const rounds = 50
    for (let round = 0; round <= rounds; round++) {
      const history: unknown[] = [user('Run them all.')]
      for (let i = 0; i < round; i++) {
        const id = i === round - 1 ? `Bash_${i}` : `Bash_${i}__${round}`
        history.push({ role: 'assistant', content: null, tool_calls: [call(id, `{ "n": ${i} }`)] })
        history.push({ role: 'tool', tool_call_id: id, content: `done ${i}` })
      }
      const { status, id, warning } = await askChat('kimi', history)
      expect([status, id, warning]).toEqual([200, 'kimi', null])
    }
    expect(await branchesOf('kimi')).toEqual(['kimi'])
    const { messages } = await view('kimi')
    const results = messages.filter((one: Loose) => one.role === 'tool')
    expect(results.slice(0, rounds).map((one: Loose) => [one.tool_call_id, one.content])).toEqual(
      Array.from({ length: rounds }, (_, i) => [`Bash:${i}`, `done ${i}`]),
    )
  })

  it('invented if the provider gives none (Gemini CLI): one session, every result with its call', async () => {
    const parts = (body: Loose) => body.contents.flatMap((one: Loose) => one.parts)
    next = (body, response) => {
      const n = parts(body).filter((part: Loose) => part.functionResponse).length
      const content = { role: 'model', parts: [{ functionCall: { name: 'shell', args: { n } } }] }
      json(response, { candidates: [{ content, finishReason: 'STOP', index: 0 }] })
    }
    const contents: unknown[] = [{ role: 'user', parts: [{ text: 'Run them all.' }] }]
    for (let n = 0; n < 6; n++) {
      const path = '/v1beta/models/gemini-2.5-flash:generateContent'
      const { id, status } = await ask(path, { contents }, { 'suture-session': 'gemini' })
      expect([status, id]).toEqual([200, 'gemini'])
      const own = `shell_${n}_0`
      contents.push({ role: 'model', parts: [{ functionCall: { id: own, name: 'shell', args: { n } } }] })
      const result = { id: own, name: 'shell', response: { output: `done ${n}` } }
      contents.push({ role: 'user', parts: [{ functionResponse: result }] })
    }
    expect(await branchesOf('gemini')).toEqual(['gemini'])
    const text = JSON.stringify(await view('gemini'))
    for (let n = 0; n < 5; n++) expect(text).toContain(`done ${n}`)
    expect(text.match(/No result of this tool call/g)?.length).toBe(1)
  })

  it.each([
    [
      'Messages',
      '/v1/messages',
      'messages',
      [user('Run it.')],
      (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: { n: 1 } }] }),
      (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }),
      (message: Loose) => ({ type: 'message', ...message, stop_reason: 'tool_use' }),
    ],
    [
      'Responses',
      '/v1/responses',
      'input',
      [user('Run it.')],
      (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{"n":1}' }),
      (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' }),
      (item: Loose) => ({ id: 'resp_1', object: 'response', status: 'completed', output: [item] }),
    ],
    [
      'Converse',
      '/model/anthropic.claude-sonnet-4-5-v1:0/converse',
      'messages',
      [{ role: 'user', content: [{ text: 'Run it.' }] }],
      (id: string) => ({ role: 'assistant', content: [{ toolUse: { toolUseId: id, name: 'f', input: { n: 1 } } }] }),
      (id: string) => ({ role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: 'done' }] } }] }),
      (message: Loose) => ({ output: { message }, stopReason: 'tool_use', usage: {} }),
    ],
  ])('renamed in %s', async (name, path, key, first, calls, result, whole) => {
    next = (_body, response) => json(response, whole(calls('given_1')))
    const id = `renamed-${name}`
    const asked = (list: readonly unknown[]) => ({ model: 'claude-sonnet-4-5', max_tokens: 9, [key]: list })
    await ask(path, asked(first), { 'suture-session': id })
    for (const own of ['given_1_own', 'given_1_again']) {
      const list = [...first, calls(own), result(own)]
      expect((await ask(path, asked(list), { 'suture-session': id })).id).toBe(own.endsWith('own') ? id : `${id}~2`)
    }
    const text = JSON.stringify(await view(id))
    expect(text).toContain('done')
    expect(text).not.toContain('given_1_own')
    expect(text.match(/No result of this tool call/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  it('a branch that is left with an open call gets the result that the history has for it', async () => {
    next = (_body, response) => json(response, chat({ content: null, tool_calls: [call('c1', '{}')] }, 'tool_calls'))
    await askChat('left', [user('Run it.')])
    const history = [
      user('Run it, please.'),
      { role: 'assistant', content: null, tool_calls: [call('c1', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ]
    next = (_body, response) => json(response, chat({ content: 'Done.' }))
    // The beginning was edited, so this goes on in a branch; what was called is the same.
    expect((await askChat('left', [user('Hi'), ...history])).id).toBe('left~2')
    const edited = [user('Run it.'), user('Now.'), ...history.slice(1)]
    expect((await askChat('left', edited)).id).toBe('left~3')
    const text = JSON.stringify(await view('left'))
    expect(text).toContain('"content":"done"')
    expect(text).not.toContain('No result')
  })
})

describe('an answer that was cut', () => {
  const cut = (_body: Loose, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Half of' } }] }
    response.write(`data: ${JSON.stringify(delta)}\n\n`, () => setTimeout(() => response.destroy(), 20))
  }

  it('and that the next request does not contain is removed by a patch', async () => {
    next = cut
    await askChat('retried', [user('Hi')], {}, { stream: true })
    await gate.logged()
    expect(JSON.stringify(await view('retried'))).toContain('Half of')
    next = (_body, response) => json(response, chat({ content: 'Half of it, and all.' }))
    expect((await askChat('retried', [user('Hi')])).id).toBe('retried')
    expect((await view('retried')).messages.map((one: Loose) => one.content)).toEqual(['Hi', 'Half of it, and all.'])
    const { records } = await view('retried', 'export')
    expect(records.filter((one: Loose) => one.kind === 'patch').length).toBe(1)
    expect(JSON.stringify(records)).toContain('Half of\\"')
    const further = [user('Hi'), { role: 'assistant', content: 'Half of it, and all.' }, user('Thanks')]
    expect((await askChat('retried', further)).id).toBe('retried')
    expect((await view('retried', 'export')).records.filter((one: Loose) => one.kind === 'patch').length).toBe(1)
  })

  it('and that the next request contains stays', async () => {
    next = cut
    await askChat('held', [user('Hi')], {}, { stream: true })
    await gate.logged()
    next = (_body, response) => json(response, chat({ content: 'The rest.' }))
    const history = [user('Hi'), { role: 'assistant', content: 'Half of' }, user('Go on.')]
    expect((await askChat('held', history)).id).toBe('held')
    expect((await view('held')).messages.map((one: Loose) => one.content)).toEqual([
      'Hi',
      'Half of',
      'Go on.',
      'The rest.',
    ])
  })
})

describe('session ids of agents', () => {
  const uuid = '0199a213-81c0-7800-8aa1-bbab2a035a53'
  const auto = { 'suture-session': 'auto' }
  const messages = [user('What is this?')]
  it.each([
    ['Claude Code', { 'x-claude-code-session-id': uuid }, {}],
    ['Claude Code, in metadata', {}, { metadata: { user_id: `user_ab_account__session_${uuid}` } }],
    [
      'Claude Code, as JSON in metadata',
      {},
      { metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: uuid }) } },
    ],
    ['Codex', { 'session-id': uuid }, { prompt_cache_key: 'other' }],
    ['Codex, before', { session_id: uuid }, {}],
    ['Codex, cache key', {}, { prompt_cache_key: uuid }],
    ['opencode', { 'x-session-affinity': uuid }, {}],
    ['OpenRouter', {}, { session_id: uuid }],
  ])('%s', async (_name, headers, more) => {
    next = (_body, response) => json(response, chat({ content: 'yes' }))
    const { id } = await ask('/v1/chat/completions', { model: 'gpt-4o', messages, ...more }, {
      ...auto,
      ...headers,
    } as Record<string, string>)
    expect(id?.split('~')[0]).toBe(`auto-${uuid}`)
  })

  it('two conversations that begin alike have different ids; a cache key of an application does not join its conversations', async () => {
    next = (_body, response) => json(response, chat({ content: 'yes' }))
    const idOf = async (body: object, headers: object = {}) =>
      (await ask('/v1/chat/completions', { model: 'gpt-4o', ...body }, { ...auto, ...headers })).id
    expect(await idOf({ messages }, { 'session-id': 'one' })).toBe('auto-one')
    expect(await idOf({ messages }, { 'session-id': 'two' })).toBe('auto-two')
    const shared = { prompt_cache_key: 'my-app' }
    const first = await idOf({ messages: [user('a')], ...shared })
    expect(first).not.toBe(await idOf({ messages: [user('b')], ...shared }))
    expect(await idOf({ messages: [user('a'), { role: 'assistant', content: 'yes' }, user('c')], ...shared })).toBe(
      first,
    )
    expect(await idOf({ messages }, { 'session-id': '../../etc' })).toMatch(/^auto-[0-9a-f]{24}$/)
  })
})

it('what was recorded verifies', async () => {
  for (const name of await store.list('', 1e6)) {
    const [first] = await store.read(name, 1, 1)
    const { dialect } = JSON.parse(first!.body) as { dialect: string }
    const session = await openSession(store, name, { provider: 'strictest', dialect })
    expect(await session.verify(), name).toMatchObject({ valid: true })
  }
})
