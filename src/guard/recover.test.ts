/** Rejections and what is done about them: bounded, only before output, and in the end the provider's own error. */
import { describe, expect, it } from 'vitest'
import { contractFetch, type Fault, type Step, startContract } from '../../contract/index.ts'
import { request, taken, type Way, way } from '../../contract/server/testing/ways.ts'
import type { Dialect } from '../core/index.ts'
import type { Reply } from '../core/reply.ts'
import { openai } from '../providers/openai.ts'
import { type FetchOptions, type GuardEvent, guard } from './index.ts'

const wait: NonNullable<FetchOptions['wait']> = async (_milliseconds, signal) => signal?.throwIfAborted()
const TEXT = 'An answer of some events.'

function set(script: readonly Step[], options: FetchOptions = {}) {
  const contract = contractFetch({ script })
  const events: GuardEvent[] = []
  const given: Reply[] = []
  const fetch = guard({
    fetch: contract,
    provider: 'openai',
    wait,
    onEvent: (event) => events.push(event),
    onReply: (reply) => given.push(reply),
    ...options,
  })
  const ask = (one: Way, init: RequestInit = {}) => fetch('http://anywhere' + one.path, { ...request(one), ...init })
  return { contract, events, given, fetch, ask }
}

const faulty = (...faults: Fault[]) => ({ text: TEXT, chunkBytes: 5, fault: faults })

describe('the boundary of recovery is the first content that reached the caller [L26]', () => {
  const chat = way('chat', true)
  it('before it the request is sent again, and the caller sees one answer', async () => {
    const { ask, contract, events, given } = set([
      faulty('error-event=1', 'status=503'),
      faulty('cut-after-events=1'),
      faulty(),
    ])
    const response = await ask(chat)
    const { text } = await taken(response)
    expect(text).toBe(Buffer.concat(contract.requests.at(-1)!.answer.writes).toString())
    expect(response.headers.get('suture-recovery')).toBe('wait, wait')
    expect(events.map(({ type }) => type)).toEqual(['rejected', 'recovered', 'rejected', 'recovered'])
    expect(events[0]).toMatchObject({ inside: true, kind: 'retryable' })
    expect(given).toMatchObject([{ complete: true }])
  })

  it('after it nothing is replayed', async () => {
    for (const fault of ['error-event=4', 'cut-after-events=4', 'end-after-events=4', 'done-after-events=4'] as const) {
      const { ask, contract, given } = set([faulty(fault), faulty(), faulty()])
      await taken(await ask(chat))
      expect(contract.requests.length, fault).toBe(1)
      expect(given[0]).toMatchObject({ complete: false, calls: [] })
    }
  })

  it('a close after the terminal event is not an error', async () => {
    const { ask, contract, given } = set([{ text: TEXT }, { text: TEXT }])
    const whole = await taken(await ask(chat))
    const size = whole.bytes.length - 'data: [DONE]\n\n'.length
    contract.script(faulty(`cut-after-bytes=${size}`))
    const second = set([{ text: TEXT, fault: `cut-after-bytes=${size}` }])
    const { text, broken } = await taken(await second.ask(chat))
    expect([broken, text]).toEqual([false, whole.text.slice(0, size)])
    expect(second.given).toMatchObject([{ complete: true }])
    expect(given).toMatchObject([{ complete: true }])
  })

  it('abort always wins', async () => {
    const leaving = new AbortController()
    const { ask, contract } = set([faulty('status=503'), faulty()], {
      wait: async (_milliseconds, signal) => {
        leaving.abort(new Error('enough'))
        signal?.throwIfAborted()
      },
    })
    await expect(ask(chat, { signal: leaving.signal })).rejects.toThrow('enough')
    expect(contract.requests.length).toBe(1)
  })
})

it('a rejected body is not passed on, and the caller’s own body is not changed [L29]', async () => {
  const body = Object.freeze({
    model: 'gpt-4.1',
    messages: Object.freeze([Object.freeze({ role: 'user', content: 'x' })]),
  })
  const text = JSON.stringify(body)
  const { contract, given, fetch } = set(Array.from({ length: 9 }, () => faulty('status=400')))
  const response = await fetch('http://anywhere/openai/v1/chat/completions', { method: 'POST', body: text })
  const own = Buffer.concat(contract.requests.at(-1)!.answer.writes).toString()
  expect([response.status, await response.text()]).toEqual([400, own])
  expect(given).toEqual([])
  expect(JSON.stringify(body)).toBe(text)
})

it('ends with the provider’s own error after any number of rejections', async () => {
  for (const fault of [
    'status=503',
    'status=429',
    'overflow=5',
    'too-large',
    'empty=413',
    'spurious-rejection',
  ] as const) {
    for (const stream of [false, true]) {
      const { ask, contract, events } = set(Array.from({ length: 30 }, () => faulty(fault)))
      const { status, headers, ...rest } = await ask(way('chat', stream))
      expect(rest).toBeDefined()
      expect(status, fault).toBe(contract.requests.at(-1)!.answer.status)
      expect(contract.requests.length, fault).toBeLessThanOrEqual(8)
      expect(headers.get('content-type')).toBe(contract.requests.at(-1)!.answer.headers['content-type'] ?? null)
      expect(events.filter(({ type }) => type === 'rejected').length).toBeGreaterThan(0)
    }
  }
})

it('`maxAttempts` bounds how often a request is sent', async () => {
  const { ask, contract } = set(
    Array.from({ length: 9 }, () => faulty('status=503')),
    { maxAttempts: 2 },
  )
  expect((await ask(way('chat', false))).status).toBe(503)
  expect(contract.requests.length).toBe(2)
})

it('an abort closes the upstream at once and leaves nothing running', async () => {
  const contract = await startContract({ provider: 'openai' })
  const events: string[] = []
  const fetch = guard({ provider: 'openai', onEvent: ({ type }) => events.push(type) })
  const chat = way('chat', true)
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1))
  const ask = (signal: AbortSignal) => fetch(contract.url + chat.path, { ...request(chat), signal })
  await taken(await fetch(contract.url + chat.path, request(chat)))
  /** Everything of this process that is still at work: sockets, requests, timers. */
  const running = () => process.getActiveResourcesInfo().toSorted()
  const idle = running()
  const open = contract.requests.length
  for (const fault of ['stall-after-events=1', 'stall-after-events=4', 'slow-first-byte=600000'] as const) {
    contract.script({ text: 'a text of some length', chunkBytes: 3, fault })
    const leaving = new AbortController()
    const asked = ask(leaving.signal).then(taken, (error) => error)
    while (contract.requests.at(-1)?.faults[0] !== fault) await settle()
    leaving.abort()
    await asked
    expect(['disconnected', 'stall']).toContain(await contract.requests.at(-1)!.done)
  }
  // A long wait before a second try ends as well.
  contract.script({ text: 'x', fault: ['status=503', 'retry-after=50'] })
  const leaving = new AbortController()
  events.length = 0
  const rejected = ask(leaving.signal).catch((error) => error)
  while (!events.includes('rejected')) await settle()
  leaving.abort()
  expect((await rejected).name).toBe('AbortError')
  expect(contract.requests.length).toBe(open + 4)
  // What was there before is a connection that is kept alive, at most: nothing has been added to it.
  const more = () => running().filter((name) => name.startsWith('TCP') || name === 'Timeout').length
  const allowed = idle.filter((name) => name.startsWith('TCP') || name === 'Timeout').length
  for (let i = 0; i < 2000 && more() > allowed; i++) await settle()
  expect(running().join(' '), `idle: ${idle.join(' ')}`).toSatisfy(() => more() <= allowed)
  await contract.close()
})

it('what `invoke` answers is looked at too', async () => {
  const given: Reply[] = []
  const answer = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
  }
  const halves = [JSON.stringify(answer).slice(0, 40), JSON.stringify(answer)]
  let asked = 0
  const fetch = guard({
    fetch: async () => new Response(halves[asked++], { headers: { 'content-type': 'application/json' } }),
    wait,
    onReply: (reply) => given.push(reply),
  })
  const messages = [{ role: 'user', content: 'Really?' }]
  const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages })
  const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/invoke'
  const response = await fetch(url, { method: 'POST', body })
  expect([await response.json(), asked]).toEqual([answer, 2])
  expect(given).toMatchObject([{ complete: true, stop: 'end_turn' }])
})

it('reads the history three times for a request that is repaired after its rejection', async () => {
  const service = openai.serves[0]!
  let reads = 0
  const dialect: Dialect = {
    ...service.dialect,
    read(message, index, parts) {
      if (index === 0) reads++
      return service.dialect.read(message, index, parts)
    },
  }
  const text = "Unknown parameter: 'messages[1].vendor_field'."
  const answers = [Response.json({ error: { message: text, type: 'invalid_request_error' } }, { status: 400 })]
  const events: GuardEvent[] = []
  const fetch = guard({
    fetch: async () =>
      answers.pop() ?? Response.json({ choices: [{ finish_reason: 'stop', message: { content: 'ok' } }] }),
    provider: { ...openai, serves: [{ ...service, dialect }] },
    onEvent: (event) => events.push(event),
  })
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y', vendor_field: 1 },
    { role: 'user', content: 'z' },
  ]
  const body = JSON.stringify({ model: 'gpt-4.1', messages })
  const response = await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body })
  expect(response.headers.get('suture-recovery')).toBe('repair')
  expect(events).toMatchObject([
    { type: 'rejected', round: 'turn 1, round 1' },
    { type: 'recovered', rounds: ['turn 1, round 1'] },
  ])
  // The first repair, the second repair, and once for the names of rounds in events and for the memory.
  expect(reads).toBe(3)
})
