/**
 * Retries of the guard and of its client together: bounded, and never the same bytes again where they may be what was
 * rejected.
 */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { type Ask, contractFetch, type Reply, type Step } from '../../contract/index.ts'
import { type FetchOptions, guard } from './index.ts'
import { RetryBudget } from './retry-budget.ts'

const URL_CHAT = 'https://api.openai.com/v1/chat/completions'
const DOWN: Reply = { text: 'x', fault: 'status=503' }
const wait = async () => {}
const messages = [{ role: 'user' as const, content: 'Hi' }]

function set(script: readonly Step[], options: FetchOptions = {}) {
  const contract = contractFetch({ script, maxRequests: 5_000 })
  const fetch = guard({ fetch: contract, wait, ...options })
  const ask = (content: string, headers: Record<string, string> = {}) =>
    fetch(URL_CHAT, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    })
  return { contract, fetch, ask }
}

const always = (count: number) => Array.from({ length: count }, () => DOWN)

describe('a provider that is down', () => {
  it('gets seven requests, not fifteen, with the retries of the official clients', async () => {
    const clients = [
      (fetch: typeof globalThis.fetch) =>
        new OpenAI({ apiKey: 'none', fetch }).chat.completions.create({ model: 'm', messages }),
      (fetch: typeof globalThis.fetch) =>
        new Anthropic({ apiKey: 'none', fetch }).messages.create({ model: 'claude-opus-4-5', max_tokens: 9, messages }),
    ]
    const counts = clients.map(async (client) => {
      const { contract, fetch } = set(always(40))
      await expect(client(fetch)).rejects.toMatchObject({ status: 503 })
      return contract.requests.length
    })
    expect(await Promise.all(counts)).toEqual([7, 7])
  })

  it('the same with clients that do not count: the same request soon after is their retry', async () => {
    const { contract, ask } = set(always(40))
    for (const sent of [5, 6, 7]) {
      expect((await ask('Hi')).status).toBe(503)
      expect(contract.requests.length).toBe(sent)
    }
    await ask('Something else')
    expect(contract.requests.length).toBe(12)
  })

  it('a client that reports its own retry gets the error at once', async () => {
    const { contract, ask } = set(always(40))
    await ask('Hi', { 'x-stainless-retry-count': '1' })
    expect(contract.requests.length).toBe(1)
    await ask('Hi', { 'x-stainless-retry-count': '0' })
    expect(contract.requests.length).toBe(6)
  })

  it('gets at most a hundred resends more than it has answered', async () => {
    const { contract, ask } = set(always(1_000))
    for (let i = 0; i < 60; i++) await ask(`request ${i}`)
    expect(contract.requests.length).toBe(160)
  })

  it('a retry of something else than a wait is not bounded by that', async () => {
    const long = (ask: Ask): Reply => (ask.tokens > 2_000 ? { fault: 'overflow=2000' } : { text: 'Yes.' })
    const { contract, fetch } = set([long, long])
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
    const history = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'word '.repeat(4_000) },
    ]
    const body = JSON.stringify({ model: 'm', messages: history })
    const response = await fetch(URL_CHAT, { method: 'POST', body, headers: { 'x-stainless-retry-count': '2' } })
    expect([response.status, contract.requests.length]).toEqual([200, 2])
  })
})

it('the budget: given-up requests are forgotten in time, answers give resends back', () => {
  let now = 0
  const budget = new RetryBudget(() => now)
  const none = new Headers()
  budget.gaveUp('a')
  expect([budget.takes('p', 'a', none), budget.takes('p', 'b', none)]).toEqual([false, true])
  now = 120_000
  expect(budget.takes('p', 'a', none)).toBe(true)
  for (let i = 0; i < 98; i++) expect(budget.takes('p', 'b', none)).toBe(true)
  expect([budget.takes('p', 'b', none), budget.takes('q', 'b', none)]).toEqual([false, true])
  budget.answered('p')
  expect([budget.takes('p', 'b', none), budget.takes('p', 'b', none)]).toEqual([true, false])
  for (let i = 0; i < 1_001; i++) budget.gaveUp(`x${i}`)
  budget.answered('p')
  expect([budget.takes('p', 'x1', none), budget.takes('p', 'x0', none)]).toEqual([false, true])
})

describe('a 400 of OpenRouter that names no reason', () => {
  const result = (id: number, words: number) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${id}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `call_${id}`, content: `line ${id} `.repeat(words) },
  ]
  const history = (results: number) => [
    ...messages,
    ...Array.from({ length: results }, (_, i) => result(i, 15_000)).flat(),
    { role: 'user', content: 'So?' },
  ]
  const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
  const URL_ROUTER = 'https://openrouter.ai/api/v1/chat/completions'
  const bodies = (contract: ReturnType<typeof contractFetch>) =>
    contract.requests.map(({ bytes }) => Buffer.from(bytes).toString())

  it('is answered by a request that fits the window of 128k, in one go', async () => {
    const fits = (ask: Ask): Reply => (ask.tokens > 128_000 ? { fault: 'wrapped' } : { text: 'Yes.' })
    const { contract, fetch } = set([fits, fits, fits])
    // More than twice the window, by the estimate.
    const response = await fetch(URL_ROUTER, post({ model: 'some/model', messages: history(10) }))
    expect([response.status, contract.requests.length]).toEqual([200, 2])
    expect(bodies(contract)[0]!.length / 4).toBeGreaterThan(256_000)
  })

  it('never gets the same bytes twice', async () => {
    const { contract, fetch } = set(Array.from({ length: 9 }, () => ({ fault: 'wrapped' as const })))
    for (const results of [1, 10]) {
      const before = contract.requests.length
      const response = await fetch(URL_ROUTER, post({ model: 'some/model', messages: history(results) }))
      expect(response.status).toBe(400)
      const sent = bodies(contract).slice(before)
      expect(new Set(sent).size).toBe(sent.length)
      expect(sent.length).toBeGreaterThan(1)
    }
  })

  it('a small one is sent once more: some reject what is valid', async () => {
    const { contract, fetch } = set([{ fault: 'wrapped' }, { text: 'Yes.' }])
    expect((await fetch(URL_ROUTER, post({ model: 'some/model', messages }))).status).toBe(200)
    expect(contract.requests.length).toBe(2)
  })
})
