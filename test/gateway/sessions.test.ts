/**
 * Sessions of the gateway: where they continue, where they branch, and which caller can read them.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { ACTIONS } from '../../src/gateway/api.ts'
import { memoryStore } from '../../src/session.ts'
import { running } from './start-gateway.ts'

const store = memoryStore()
const gateway = await running({ store })
afterAll(() => gateway.close())

const user = (content: string) => ({ role: 'user', content })
const said = (content: string) => ({ role: 'assistant', content })

async function ask(id: string, messages: readonly unknown[], more: Record<string, string> = {}, body: object = {}) {
  const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer me', 'suture-session': id, ...more },
    body: JSON.stringify({ model: 'gpt-4o', messages, ...body }),
  })
  const text = await response.text()
  const { headers: got } = response
  return {
    status: response.status,
    id: got.get('suture-session'),
    branch: got.get('suture-branch'),
    text,
    reply: saidIn(text),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
function saidIn(text: string): any {
  try {
    return JSON.parse(text).choices?.[0]?.message
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
async function api(path: string, method = 'GET', body?: object, key = 'me'): Promise<any> {
  const response = await fetch(`${gateway.url}/suture/v1/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

const contents = async (id: string) =>
  (await api(`/${encodeURIComponent(id)}?from=oldest&size=1000`)).messages.map(
    (one: { content: string }) => one.content,
  )

describe('recorded', () => {
  it('a continued history is appended; an edited last message is a revision, and the log keeps what it replaced', async () => {
    const first = await ask('edit', [user('one')])
    const second = await ask('edit', [user('one'), first.reply, user('two')])
    expect([first.id, second.id]).toEqual(['edit', 'edit'])
    const edited = await ask('edit', [user('one'), first.reply, user('TWO')])
    const further = await ask('edit', [user('one'), first.reply, user('TWO'), edited.reply, user('three')])
    expect([edited.id, further.id]).toEqual(['edit', 'edit'])
    const line = ['one', first.reply.content, 'TWO', edited.reply.content, 'three', further.reply.content]
    expect(await contents('edit')).toEqual(line)
    expect((await api('/edit/history')).messages.map((one: { content: string }) => one.content)).toEqual(line)
    const { records } = await api('/edit/export')
    expect(JSON.stringify(records)).toContain('\\"two\\"')
    expect(await api('/edit/verify')).toMatchObject({ valid: true })
  })

  it('a client that continues both versions has two branches, each whole', async () => {
    const first = await ask('both', [user('one')])
    const second = await ask('both', [user('one'), first.reply, user('two')])
    const other = await ask('both', [user('one'), first.reply, user('TWO')])
    const back = await ask('both', [user('one'), first.reply, user('two'), second.reply, user('four')])
    expect([back.id, back.branch]).toEqual(['both', null])
    const texts = ['one', first.reply.content, 'two', second.reply.content, 'four', back.reply.content]
    expect(await contents('both')).toEqual(texts)
    const further = await ask('both', [user('one'), first.reply, user('TWO'), other.reply, user('five')])
    expect([further.id, further.branch]).toEqual(['both', 'both~2'])
    expect(await contents('both')).toEqual(texts)
    const line = ['one', first.reply.content, 'TWO', other.reply.content, 'five', further.reply.content]
    expect(await contents('both~2')).toEqual(line)
    const last = await ask('both', [...line.map((text, i) => (i % 2 ? said(text) : user(text))), user('six')])
    expect([last.id, last.branch]).toEqual(['both', 'both~2'])
    expect(await api('/both~2/verify')).toMatchObject({ valid: true })
  })

  it('a line that went on comes back after another one did: each is a line of its own', async () => {
    const [first, own, other]: unknown[][] = [[user('begin')], [], []]
    const send = async (list: unknown[], text: string) => {
      list.push(user(text))
      const answer = await ask('three', list)
      list.push(answer.reply)
      return answer.branch
    }
    first!.push((await ask('three', first!)).reply)
    own!.push(...first!)
    other!.push(...first!)
    expect([await send(own!, 'a'), await send(own!, 'b')]).toEqual([null, null])
    expect([await send(other!, 'c'), await send(other!, 'd')]).toEqual([null, null])
    // The older line takes its place back, and the one that went on there is a branch.
    expect([await send(own!, 'e'), await send(other!, 'f'), await send(own!, 'g')]).toEqual([null, 'three~2', null])
    const texts = (list: unknown[]) => list.map((one) => (one as { content: string }).content)
    // A repeated request of the branch stays there, although the last reply that it has is in both lines.
    const again = await ask('three', other!.slice(0, -1))
    expect(again.branch).toBe('three~2')
    other!.splice(-1, 1, again.reply)
    expect(await send(own!, 'i')).toBe(null)
    expect(await contents('three')).toEqual(texts(own!))
    expect(await contents('three~2')).toEqual(texts(other!))
  })

  it('a side request with the same first prompt, another system prompt and no tools has a line of its own', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const first = await ask('titled', [user('one')], {}, { tools })
    const title = await ask('titled', [{ role: 'system', content: 'Write a title.' }, user('one')])
    expect([title.id, title.branch]).toEqual(['titled', 'titled~2'])
    expect(await contents('titled')).toEqual(['one', first.reply.content])
    const edited = await ask('titled', [user('one, two')], {}, { tools })
    expect([edited.id, edited.branch]).toEqual(['titled', null])
    expect(await contents('titled')).toEqual(['one, two', edited.reply.content])
  })

  it('a revision that is rejected changes nothing', async () => {
    const first = await ask('revised', [user('one')])
    const second = await ask('revised', [user('one'), first.reply, user('two')])
    const edited = [user('one'), first.reply, user('TWO')]
    expect((await ask('revised', edited, { 'x-contract-fault': 'status=401' })).status).toBe(401)
    expect(await contents('revised')).toEqual(['one', first.reply.content, 'two', second.reply.content])
    expect((await ask('revised', edited)).id).toBe('revised')
    expect((await contents('revised')).slice(0, 3)).toEqual(['one', first.reply.content, 'TWO'])
  })

  it('a repeated request with the same history: the new answer takes the place of the old one, which can be read', async () => {
    await ask('again', [user('one')])
    const second = await ask('again', [user('one')])
    expect([second.id, second.branch]).toEqual(['again', null])
    expect(await contents('again')).toEqual(['one', second.reply.content])
    const { messages } = await api('/again/revisions')
    expect(messages.map((one: { replacedAt?: number }) => one.replacedAt !== undefined)).toEqual([false, true, false])
  })

  it('what a client writes in other words is the same message', async () => {
    const first = await ask('words', [user('one')])
    const same = { content: [{ type: 'text', text: first.reply.content }], role: 'assistant', refusal: null }
    expect((await ask('words', [user('one'), same, user('two')])).id).toBe('words')
  })

  it('two at once from one history: neither is lost', async () => {
    const first = await ask('twice', [user('one')])
    const [a, b] = await Promise.all(
      ['left', 'right'].map((word) => ask('twice', [user('one'), first.reply, user(word)])),
    )
    expect([a!.status, b!.status]).toEqual([200, 200])
    await gateway.logged()
    const ids = (await gateway.ids()).filter((id) => id.startsWith('twice'))
    const all = await Promise.all(ids.map(contents))
    expect(all.map((list) => list[2]).sort()).toEqual(['left', 'right'])
  })

  it('an id is derived from the beginning of the conversation, on request', async () => {
    const first = await ask('auto', [user('once upon a time')])
    const second = await ask('auto', [user('once upon a time'), first.reply, user('and then')])
    expect(first.id).toMatch(/^auto-/)
    expect(second.id).toBe(first.id)
    expect((await ask('auto', [user('something else')])).id).not.toBe(first.id)
  })

  it('requests that are rejected leave one branch at most, however often they are repeated', async () => {
    const busy = { 'x-contract-fault': 'status=401' }
    const [first, second] = [await ask('busy', [user('one')]), await ask('busy', [user('one')])]
    for (let i = 0; i < 5; i++) await ask('busy', [user(`Entirely other words, ${'n'.repeat(i)}.`)], busy)
    expect((await gateway.ids()).filter((id) => id.startsWith('busy'))).toEqual(['busy', 'busy~2'])
    const both = [first, second].map(({ reply }) => [user('one'), reply])
    await ask('busy', [...both[1]!, user('two')])
    await ask('busy', [...both[0]!, user('three')])
    for (let i = 0; i < 5; i++) await ask('busy', [...both[1]!, user(`four ${i}`)], busy)
    expect((await gateway.ids()).filter((id) => id.startsWith('busy')).length).toBeLessThanOrEqual(4)
    expect((await ask('busy', [user('Entirely other words.')])).branch).toBe('busy~2')
  })

  it('a rejection leaves the conversation as it was', async () => {
    const first = await ask('rejected', [user('one')])
    const second = [user('one'), first.reply, user('two')]
    expect((await ask('rejected', second, { 'x-contract-fault': 'status=401' })).status).toBe(401)
    expect(await contents('rejected')).toEqual(['one', first.reply.content])
    expect((await ask('rejected', second)).id).toBe('rejected')
  })
})

describe('kept', () => {
  const kept = { 'suture-mode': 'append' }

  it('only new messages are sent, and an abandoned call breaks nothing', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
    const first = await ask('kept', [user('weather?')], kept, { tools })
    expect(first.reply.tool_calls.length).toBe(1)
    const second = await ask('kept', [user('never mind')], kept, { tools })
    expect(second.status).toBe(200)
    const { messages } = gateway.contract.requests.at(-1)!.body as { messages: { role: string }[] }
    expect(messages.map((one) => one.role)).toEqual(['user', 'assistant', 'tool', 'user'])
    const late = [{ role: 'tool', tool_call_id: first.reply.tool_calls[0].id, content: 'sunny' }, user('so?')]
    expect((await ask('kept', late, kept, { tools })).status).toBe(200)
    expect(JSON.stringify(gateway.contract.requests.at(-1)!.body)).toContain('sunny')
  })

  it('the response and the log say what the client did not send', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
    const inserted = async (content: string) => {
      const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer me', 'suture-session': 'inserted', ...kept },
        body: JSON.stringify({ model: 'gpt-4o', messages: [user(content)], tools }),
      })
      await response.text()
      return response.headers.get('suture-inserted')
    }
    expect(await inserted('weather?')).toBe('stored;n=0')
    expect(await inserted('never mind')).toBe('stored;n=2, tool-result;n=1')
    expect(await inserted('so?')).toMatch(/^stored;n=\d+/)
    const lines = (await gateway.logged()).filter((line) => line['session'] === 'inserted')
    expect(lines.map((line) => line['inserted'])).toMatchObject([
      { stored: 0, results: 0 },
      { stored: 2, results: 1 },
      { results: 1 },
    ])
  })

  it('results for calls of the request itself count, too', async () => {
    const call = { id: 'q1', type: 'function', function: { name: 'weather', arguments: '{}' } }
    const messages = [user('hi'), { role: 'assistant', content: null, tool_calls: [call] }, user('never mind')]
    const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer me', 'suture-session': 'own-calls', ...kept },
      body: JSON.stringify({ model: 'gpt-4o', messages }),
    })
    await response.text()
    expect(response.headers.get('suture-inserted')).toBe('stored;n=0, tool-result;n=1')
  })

  it('one operation is done once', async () => {
    const op = { ...kept, 'suture-operation': 'op-1' }
    expect((await ask('once', [user('one')], { ...op, 'x-contract-fault': 'status=401' })).status).toBe(401)
    const other = { ...kept, 'suture-operation': 'op-2' }
    expect((await ask('once', [user('two')], other)).status).toBe(200)
    expect((await ask('once', [user('two')], other)).status).toBe(409)
    expect((await contents('once'))[0]).toBe('two')
    expect((await contents('once')).length).toBe(2)
  })

  it('the content of a broken stream is kept, and the next prompt works', async () => {
    const fault = { ...kept, 'x-contract-fault': 'cut-after-events=2' }
    await expect(ask('cut', [user('one')], fault, { stream: true })).rejects.toThrow('terminated')
    expect((await ask('cut', [user('two')], kept)).status).toBe(200)
    const sent = gateway.contract.requests.at(-1)!
    expect(sent.verdict).toMatchObject({ accepted: true })
  })

  it('turns of one session wait for each other', async () => {
    await Promise.all(['a', 'b', 'c'].map((word) => ask('queue', [user(word)], kept)))
    const roles = (await api('/queue?size=100')).messages.map((one: { role: string }) => one.role)
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
  })
})

describe('the API', () => {
  it('pages, turns, export, revert, undo, fork, verify, delete', async () => {
    for (const word of ['one', 'two', 'three']) await ask('api', [user(word)], { 'suture-mode': 'append' })
    const page = await api('/api?size=2')
    expect(page).toMatchObject({ id: 'api', provider: 'openai', dialect: 'openai-chat', cursor: expect.any(String) })
    expect(page.messages[0].content).toBe('three')
    expect((await api(`/api?size=2&cursor=${page.cursor}`)).messages[0].content).toBe('two')
    expect((await api('/api/turns')).turns.length).toBe(3)
    expect((await api('/api/export?last=1')).messages.length).toBe(2)
    expect((await api('/api/export')).records.length).toBeGreaterThan(6)
    expect(await api('/api/fork', 'POST', { id: 'api-two', turn: 2 })).toMatchObject({ status: 200, id: 'api-two' })
    await api('/api/revert', 'POST', { turn: 2 })
    expect((await contents('api')).length).toBe(2)
    await api('/api/undo', 'POST')
    expect((await contents('api')).length).toBe(6)
    expect((await contents('api-two')).length).toBe(4)
    expect(await api('/api/verify')).toMatchObject({ status: 200 })
    expect((await api('/api/history')).messages.length).toBe(6)
    await api('/api', 'DELETE')
    expect((await api('/api')).status).toBe(404)
    expect(await api('/api/fork', 'POST', { id: 'no/../way' })).toMatchObject({ status: 404 })
  })

  it('rejects what makes no sense, with a next step', async () => {
    await ask('odd', [user('one')])
    expect(await api('/odd/revert', 'POST', { turn: 9 })).toMatchObject({ status: 400, error: { code: 'bad-session' } })
    expect(await api('/odd/revert', 'POST', {})).toMatchObject({ status: 400, error: { code: 'bad-request' } })
    expect((await api('/odd/revert')).status).toBe(405)
    expect((await api('/odd/nothing')).status).toBe(404)
    expect((await api('/odd/plan', 'POST', {})).status).toBe(501)
    for (const query of ['?limit=-5', '?limit=many', '/odd?size=0', '/odd?size=-1', '/odd?size=x', '/odd?from=middle'])
      expect((await api(query)).status, query).toBe(400)
    expect((await api('/odd/turns/1')).status).toBe(404)
    const taken = await api('/odd/fork', 'POST', { id: 'odd' })
    expect([taken.status, taken.error.message]).toEqual([409, expect.stringContaining('Choose another id')])
    for (const path of ['', '/odd']) {
      const init = { method: 'HEAD', headers: { authorization: 'Bearer me' } }
      expect((await fetch(`${gateway.url}/suture/v1/sessions${path}`, init)).status).toBe(200)
    }
    expect((await ask('../odd', [user('one')])).status).toBe(400)
    expect((await ask('odd', [user('one')], { 'suture-mode': 'sideways' })).status).toBe(400)
  })

  it('each key sees its own', async () => {
    await ask('mine', [user('a secret')])
    await ask('mine', [user('hers')], { authorization: 'Bearer she' })
    expect((await api('', 'GET', undefined, 'she')).sessions).toEqual([{ id: 'mine' }])
    expect((await api('/mine', 'GET', undefined, 'she')).messages[0].content).toBe('hers')
    expect((await api('/mine', 'GET', undefined, 'unlisted')).status).toBe(404)
    expect(JSON.stringify(await store.list('', 1e6))).not.toMatch(/"(me|she)/)
  })

  it('describes itself', async () => {
    const response = await fetch(`${gateway.url}/suture/openapi.json`)
    const { paths } = (await response.json()) as { paths: Record<string, object> }
    for (const one of Object.keys(ACTIONS)) {
      const [method = '', deed = ''] = one.split(' ')
      const path = `/suture/v1/sessions/{id}${deed === '' ? '' : `/${deed}`}`
      expect(paths[path], path).toHaveProperty(method.toLowerCase())
    }
    for (const path of ['/', '/suture/health', '/suture/ready', '/suture/metrics', '/suture/v1/sessions'])
      expect((await fetch(gateway.url + path)).status, path).toBe(200)
  })
})
