/**
 * Recording never stops a request and never changes an answer: many branches, call ids that clients rename, cut
 * answers, agents' own session ids.
 */

import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/session.ts'
import { Random } from '../../src/testing/corruptions/random.ts'
import { openSession } from '../untyped-api.ts'
import { inFrontOf, type Running } from './start-gateway.ts'

type Loose = ReturnType<typeof JSON.parse>

const store = memoryStore()
/** What the upstream answers next, by the number of its request. */
let next: (body: Loose, response: ServerResponse, path: string) => void
const gateway: Running = await inFrontOf(upstream, { store })
afterAll(() => gateway.close())

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
  const response = await fetch(`${gateway.url}/own${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer me', ...headers },
    body: JSON.stringify(body),
  })
  const text = await read(response)
  const { headers: got } = response
  const id = got.get('suture-branch') ?? got.get('suture-session')
  return { status: response.status, id, warning: got.get('suture-warning'), text }
}

/** What the client has read so far: an upstream that cuts its answer waits for it. */
const client = new EventEmitter()

async function read(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of response.body!) {
      text += decoder.decode(piece, { stream: true })
      client.emit('read', text)
    }
    return text
  } catch (error) {
    return String(error)
  }
}

/** A stream that is cut when the client has read half of it. */
function cutStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(text)
  const onRead = (soFar: string) => {
    if (!soFar.includes('Half of')) return
    client.off('read', onRead)
    response.destroy()
  }
  client.on('read', onRead)
}

const HALF = { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Half of' } }] }
const cut = (_body: Loose, response: ServerResponse) => cutStream(response, `data: ${JSON.stringify(HALF)}\n\n`)

const askChat = (id: string, messages: readonly unknown[], more: Record<string, string> = {}, body: object = {}) =>
  ask('/v1/chat/completions', { model: 'gpt-4o', messages, ...body }, { 'suture-session': id, ...more })

async function view(id: string, kind = 'history'): Promise<Loose> {
  const headers = { authorization: 'Bearer me' }
  return (await fetch(`${gateway.url}/suture/v1/sessions/${encodeURIComponent(id)}/${kind}`, { headers })).json()
}

async function branchesOf(id: string): Promise<string[]> {
  await gateway.logged()
  return (await gateway.ids()).filter((one) => one === id || one.startsWith(`${id}~`))
}

describe('many branches', () => {
  it('the same prompt sixty times: every request is answered and recorded, and each answer can be continued', async () => {
    let count = 0
    next = (_body, response) => json(response, chat({ content: `answer ${++count}` }))
    const all = []
    for (let i = 0; i < 60; i++) all.push(await askChat('same', [user('Hi')]))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(all.filter(({ warning }) => warning !== null)).toEqual([])
    expect(await branchesOf('same')).toEqual(['same'])
    const stored = JSON.stringify(await view('same', 'export'))
    for (let i = 1; i <= 60; i++) expect(stored).toContain(`answer ${i}\\"`)
    const history = [user('Hi'), { role: 'assistant', content: 'answer 50' }, user('Go on.')]
    expect((await askChat('same', history)).id).toBe('same')
    expect((await view('same')).messages.map((one: Loose) => one.content)).toEqual([
      'Hi',
      'answer 50',
      'Go on.',
      'answer 61',
    ])
  })

  it('a history with another reply than was given is recorded whole', async () => {
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
      expect((await ask(path, asked(list), { 'suture-session': id })).id).toBe(id)
    }
    const text = JSON.stringify(await view(id))
    expect(text).toContain('done')
    expect(text).not.toContain('given_1_own')
    expect(text.match(/No result of this tool call/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  it('an edited beginning, and results of calls in it: one session, every result with its call', async () => {
    next = (_body, response) => json(response, chat({ content: null, tool_calls: [call('c1', '{}')] }, 'tool_calls'))
    await askChat('left', [user('Run it.')])
    const history = [
      user('Run it, please.'),
      { role: 'assistant', content: null, tool_calls: [call('c1', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ]
    next = (_body, response) => json(response, chat({ content: 'Done.' }))
    expect((await askChat('left', [user('Hi'), ...history])).id).toBe('left')
    const edited = [user('Run it.'), user('Now.'), ...history.slice(1)]
    expect((await askChat('left', edited)).id).toBe('left')
    const text = JSON.stringify(await view('left'))
    expect(text).toContain('"content":"done"')
    expect(text).not.toContain('No result')
  })
})

describe('an answer that was cut', () => {
  it('and that the next request does not contain is removed; the log keeps it', async () => {
    next = cut
    await askChat('retried', [user('Hi')], {}, { stream: true })
    await gateway.logged()
    expect(JSON.stringify(await view('retried'))).toContain('Half of')
    next = (_body, response) => json(response, chat({ content: 'Half of it, and all.' }))
    expect((await askChat('retried', [user('Hi')])).id).toBe('retried')
    expect((await view('retried')).messages.map((one: Loose) => one.content)).toEqual(['Hi', 'Half of it, and all.'])
    const { records } = await view('retried', 'export')
    expect(records.filter((one: Loose) => one.body.includes('"replaces"')).length).toBe(1)
    expect(JSON.stringify(records)).toContain('Half of\\"')
    const further = [user('Hi'), { role: 'assistant', content: 'Half of it, and all.' }, user('Thanks')]
    expect((await askChat('retried', further)).id).toBe('retried')
    const again = await view('retried', 'export')
    expect(again.records.filter((one: Loose) => one.body.includes('"replaces"')).length).toBe(1)
  })

  it('and that the next request contains stays', async () => {
    next = cut
    await askChat('held', [user('Hi')], {}, { stream: true })
    await gateway.logged()
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

describe('one conversation, one session', () => {
  const answers = (reply: string) => {
    next = (_body, response) => json(response, chat({ content: reply }))
  }
  const assistant = (content: string) => ({ role: 'assistant', content })
  const texts = async (id: string) => (await view(id)).messages.map((one: Loose) => one.content)
  /** Requests one after the other, each with its reply; returns the session ids. */
  async function idsOf(id: string, turns: readonly (readonly [readonly unknown[], string])[]) {
    const ids: (string | null)[] = []
    for (const [messages, reply] of turns) {
      answers(reply)
      ids.push((await askChat(id, messages)).id)
    }
    return ids
  }

  it('a note about the cut in the result that was sent last (Claude Code)', async () => {
    const path = '/v1/messages'
    const ask1 = (messages: readonly unknown[], more: object = {}) =>
      ask(path, { model: 'claude-sonnet-4-5', max_tokens: 9, messages, ...more }, { 'suture-session': 'noted' })
    const calls = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'three' }
    const note = { type: 'text', text: 'Your response above was cut off mid-stream.' }
    next = (_body, response) => json(response, { type: 'message', ...calls, stop_reason: 'tool_use' })
    await ask1([user('Run it.')])
    next = (_body, response) => {
      const events = [
        { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: {} } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half of' } },
      ]
      const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
      cutStream(response, text)
    }
    await ask1([user('Run it.'), calls, { role: 'user', content: [result] }], { stream: true })
    await gateway.logged()
    next = (_body, response) =>
      json(response, {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Done.' }],
        stop_reason: 'end_turn',
      })
    const noted = [user('Run it.'), calls, { role: 'user', content: [result, note] }]
    expect((await ask1(noted)).id).toBe('noted')
    const reply = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }
    expect((await ask1([...noted, reply, user('Thanks.')])).id).toBe('noted')
    expect(await branchesOf('noted')).toEqual(['noted'])
    expect((await view('noted')).messages).toEqual([...noted, reply, user('Thanks.'), reply])
    expect(JSON.stringify(await view('noted', 'export'))).toContain('Half of')
  })

  it.each([
    ['after it', (text: string) => `${text}\n\nYour response above was cut off.`],
    ['before it', (text: string) => `[The last response was lost.]\n${text}`],
  ])('a note in the first prompt, %s', async (name, noted) => {
    const id = `first-${name.split(' ')[0]}`
    next = cut
    await askChat(id, [user('Tell me all.')], {}, { stream: true })
    await gateway.logged()
    const prompt = user(noted('Tell me all.'))
    expect(await idsOf(id, [[[prompt], 'All.']])).toEqual([id])
    expect(await idsOf(id, [[[prompt, assistant('All.'), user('More.')], 'More.']])).toEqual([id])
    // The note is gone again, as in a client that adds it to one request only.
    const without = [user('Tell me all.'), assistant('All.'), user('More.'), assistant('More.'), user('Go on.')]
    expect(await idsOf(id, [[without, 'Yes.']])).toEqual([id])
    expect((await texts(id))[0]).toBe('Tell me all.')
  })

  it('the environment of the client in its last message, taken out a turn later', async () => {
    const wrapped = (text: string, n: number) => user(`${text}\nOpen files: a.ts, b${n}.ts. Time: 12:0${n}`)
    const plain: unknown[] = []
    for (let n = 0; n < 6; n++) {
      expect(await idsOf('environment', [[[...plain, wrapped(`turn ${n}`, n)], `answer ${n}`]])).toEqual([
        'environment',
      ])
      plain.push(user(`turn ${n}`), assistant(`answer ${n}`))
    }
    expect(await branchesOf('environment')).toEqual(['environment'])
    expect((await texts('environment')).slice(0, 4)).toEqual(['turn 0', 'answer 0', 'turn 1', 'answer 1'])
    expect((await texts('environment')).length).toBe(12)
  })

  it('a system prompt with a clock', async () => {
    const turns: unknown[] = []
    for (let n = 0; n < 5; n++) {
      const list = [{ role: 'system', content: `It is 12:0${n}.` }, ...turns, user(`turn ${n}`)]
      expect(await idsOf('clock', [[list, `answer ${n}`]])).toEqual(['clock'])
      turns.push(user(`turn ${n}`), assistant(`answer ${n}`))
    }
    expect((await texts('clock'))[0]).toBe('It is 12:04.')
    expect((await texts('clock')).length).toBe(11)
  })

  it('what an agent puts around its prompts is another one after a resume (Qwen Code): the id stays, too', async () => {
    const prompt = (date: string, text: string) => ({
      role: 'user',
      content: [
        { type: 'text', text: `<system-reminder>\nToday is ${date}. Skills: <skill>a</skill>\n</system-reminder>` },
        { type: 'text', text },
      ],
    })
    const system = (date: string) => ({ role: 'system', content: `You are Qwen Code. Today is ${date}.` })
    const auto = { 'suture-session': 'auto' }
    const askAuto = (messages: readonly unknown[]) =>
      ask('/v1/chat/completions', { model: 'qwen3', messages }, auto).then(({ id }) => id)
    answers('Round 0.')
    const id = await askAuto([system('Monday'), prompt('Monday', 'Look at the notes.')])
    const resumed = [
      system('Tuesday'),
      prompt('Tuesday', 'Look at the notes.'),
      assistant('Round 0.'),
      prompt('Wednesday', 'Go on.'),
    ]
    expect(await askAuto(resumed)).toBe(id)
    expect((await view(id!)).messages).toEqual([...resumed, { role: 'assistant', content: 'Round 0.' }])
    expect(await askAuto([system('Monday'), prompt('Monday', 'Something else.')])).not.toBe(id)
    // All of it is inside of elements, and one of them is the prompt (Grok).
    const wrapped = (date: string, text: string) => [
      system(date),
      user(`<user_info>Today is ${date}.</user_info>`),
      user(`<user_query>\n${text}\n</user_query>`),
    ]
    const own = await askAuto(wrapped('Monday', 'Look.'))
    expect(await askAuto([...wrapped('Tuesday', 'Look.'), assistant('Round 0.'), user('On.')])).toBe(own)
    expect(await askAuto(wrapped('Monday', 'Else.'))).not.toBe(own)
    expect(await askAuto([])).toMatch(/^auto-/)
  })

  it('a last response without its call, and a result sent twice (Gemini CLI, after it was killed)', async () => {
    const path = '/v1beta/models/gemini-2.5-flash:generateContent'
    const askGemini = (contents: readonly unknown[]) => ask(path, { contents }, { 'suture-session': 'killed' })
    const prompt = (text: string) => ({ role: 'user', parts: [{ text }] })
    const round = (n: number) => ({
      role: 'model',
      parts: [{ text: `Round ${n}.` }, { functionCall: { id: `c${n}`, name: 'shell', args: { n } } }],
    })
    const result = { functionResponse: { id: 'c0', name: 'shell', response: { output: 'one' } } }
    const replies = (content: object) => {
      next = (_body, response) => json(response, { candidates: [{ content, finishReason: 'STOP', index: 0 }] })
    }
    replies(round(0))
    await askGemini([prompt('Run.')])
    replies(round(1))
    await askGemini([prompt('Run.'), round(0), { role: 'user', parts: [result] }])
    replies({ role: 'model', parts: [{ text: 'Done.' }] })
    const resumed = [
      prompt('Run.'),
      round(0),
      { role: 'user', parts: [result, result] },
      { role: 'model', parts: [{ text: 'Round 1.' }] },
      prompt('Go on.'),
    ]
    expect((await askGemini(resumed)).id).toBe('killed')
    expect(await branchesOf('killed')).toEqual(['killed'])
  })

  it('a side request with another last message, then the conversation continues', async () => {
    const turns = [user('one'), assistant('1'), user('two'), assistant('2')]
    const ids = await idsOf('aside', [
      [turns.slice(0, 1), '1'],
      [turns.slice(0, 3), '2'],
      [[...turns, user('Name this conversation.')], 'Numbers'],
      [[...turns, user('three')], '3'],
      [[...turns, user('three'), assistant('3'), user('four')], '4'],
    ])
    expect(ids).toEqual(ids.map(() => 'aside'))
    expect(await texts('aside')).toEqual(['one', '1', 'two', '2', 'three', '3', 'four', '4'])
    expect(JSON.stringify(await view('aside', 'export'))).toContain('Name this conversation.')
  })

  it('agents that share an id and a system prompt alternate: each has its own branch', async () => {
    const system = { role: 'system', content: 'You are an agent.' }
    const [main, helper]: unknown[][] = [
      [system, user('Build it.')],
      [system, user('Find the tests.')],
    ]
    const ids: (string | null)[][] = [[], []]
    for (let n = 0; n < 4; n++)
      for (const [i, list] of [main!, helper!].entries()) {
        ids[i]!.push(...(await idsOf('agents', [[list, `${i}: ${n}`]])))
        list.push(assistant(`${i}: ${n}`), user(`${i}: go on ${n}`))
      }
    expect(ids).toEqual([Array(4).fill('agents'), Array(4).fill('agents~2')])
    expect(await texts('agents~2')).toEqual(
      [...helper!.slice(0, -1)].map((one) => (one as { content: string }).content),
    )
  })

  it('a note after a cut in Responses (Codex), where a reply is several items', async () => {
    const askItems = (input: readonly unknown[]) =>
      ask('/v1/responses', { model: 'gpt-5.4', input }, { 'suture-session': 'items' })
    const text = (role: string, value: string) => ({
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: value }],
    })
    const calls = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"n":1}' }
    const output = (value: string) => ({ type: 'function_call_output', call_id: 'c1', output: value })
    const replies = (...items: object[]) => {
      next = (_body, response) =>
        json(response, { id: 'resp_1', object: 'response', status: 'completed', output: items })
    }
    const begun = (date: string) => [
      text('developer', 'Be brief.'),
      text('user', `<environment_context><current_date>${date}</current_date></environment_context>`),
      text('user', 'Run it.'),
    ]
    replies(text('assistant', 'I run it.'), calls)
    await askItems(begun('Monday'))
    replies(text('assistant', 'Done.'))
    await askItems([...begun('Monday'), text('assistant', 'I run it.'), calls, output('one')])
    const resumed = [...begun('Tuesday'), text('assistant', 'I run it.'), calls, output('one, and a note')]
    expect((await askItems(resumed)).id).toBe('items')
    expect((await askItems([...resumed, text('assistant', 'Done.'), text('user', 'Thanks.')])).id).toBe('items')
    expect(await branchesOf('items')).toEqual(['items'])
    expect((await view('items')).messages.slice(0, 6)).toEqual(resumed)
  })

  it('random clients: one session, whose messages are those of the last request, and the log has every message', async () => {
    const random = new Random(33)
    for (let run = 0; run < 12; run++) {
      const id = `random-${run}`
      const own = [user(`run ${run}, turn 0`)]
      const sent = new Set<string>()
      let system = 'You help.'
      let last: Loose[] = []
      for (let turn = 0; turn < 8; turn++) {
        if (random.chance(30)) system = `You help. It is turn ${turn}.`
        const prompt = own.at(-1)!
        const noted = random.pick([
          prompt,
          user(`${prompt.content}\n\nNote ${turn}.`),
          user(`<system-reminder>Turn ${turn}</system-reminder>\n${prompt.content}`),
        ])
        if (random.chance(25)) {
          next = cut
          await askChat(id, [{ role: 'system', content: system }, ...own], {}, { stream: true })
          await gateway.logged()
        }
        const request = [{ role: 'system', content: system }, ...own.slice(0, -1), noted]
        for (const message of request) sent.add(message.content)
        answers(`answer ${turn}`)
        expect((await askChat(id, request)).id, `turn ${turn} of run ${run}`).toBe(id)
        last = [...request, assistant(`answer ${turn}`)]
        own.push(assistant(`answer ${turn}`), user(`run ${run}, turn ${turn + 1}`))
      }
      expect((await view(id)).messages).toEqual(last)
      const stored = JSON.stringify((await view(id, 'export')).records)
      for (const text of sent) expect(stored).toContain(JSON.stringify(JSON.stringify(text)).slice(3, -3))
      expect(await branchesOf(id)).toEqual([id])
    }
  })

  it('a gateway that starts later reads the same records', async () => {
    const other = await inFrontOf(upstream, { store })
    try {
      answers('5')
      const turns = ['one', '1', 'two', '2', 'three', '3', 'four', '4'].map((text, i) =>
        i % 2 === 0 ? user(text) : assistant(text),
      )
      const response = await fetch(`${other.url}/own/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer me', 'suture-session': 'aside' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [...turns, user('five')] }),
      })
      await response.text()
      expect(response.headers.get('suture-session')).toBe('aside')
    } finally {
      await other.close()
    }
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
    ['Grok', { 'x-grok-session-id': uuid, 'x-grok-conv-id': 'side-call' }, {}],
    ['xAI, for its cache', { 'x-grok-conv-id': uuid }, {}],
    ['Qwen Code', { 'x-qwen-code-session-id': uuid }, {}],
    ['Qwen Code at DashScope', {}, { metadata: { sessionId: uuid, promptId: 'p' } }],
    ['Copilot CLI', { 'x-client-session-id': uuid }, {}],
    ['Kilo', { 'x-kilocode-taskid': uuid }, {}],
    ['Amp', { 'x-amp-thread-id': uuid }, {}],
    ['Open WebUI', { 'x-openwebui-chat-id': uuid }, {}],
    ['Coder', { 'x-coder-chat-id': uuid }, {}],
  ])('%s', async (_name, headers, more) => {
    next = (_body, response) => json(response, chat({ content: 'yes' }))
    const { id } = await ask('/v1/chat/completions', { model: 'gpt-4o', messages, ...more }, {
      ...auto,
      ...headers,
    } as Record<string, string>)
    expect(id?.split('~')[0]).toBe(`auto-${uuid}`)
  })

  it.each(['x-my-session-id', 'x-session', 'session', 'x-conversation-id', 'x-request-session', 'cookie'])(
    'the header %s is not known, so it names no conversation',
    async (header) => {
      next = (_body, response) => json(response, chat({ content: 'yes' }))
      const idOf = async (value: string) =>
        (await ask('/v1/chat/completions', { model: 'gpt-4o', messages }, { ...auto, [header]: value })).id
      expect(await idOf(`a${uuid}`)).toMatch(/^auto-[0-9a-f]{24}(~|$)/)
      expect((await idOf(`b${uuid}`))!.split('~')[0]).toBe((await idOf(`c${uuid}`))!.split('~')[0])
    },
  )

  it('two conversations with the same beginning have different ids; a cache key of an application does not join its conversations', async () => {
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

it('recorded sessions verify', async () => {
  for (const name of await store.list('', 1e6)) {
    const [first] = await store.read(name, 1, 1)
    const { dialect } = JSON.parse(first!.body) as { dialect: string }
    const session = await openSession(store, name, { provider: 'strictest', dialect })
    expect(await session.verify(), name).toMatchObject({ valid: true })
  }
})
