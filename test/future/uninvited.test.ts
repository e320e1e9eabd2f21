/**
 * What edits a request or a history without a finding: the signature memory, repairs that are repeated, sessions. None
 * of it edits something new ahead of a rejection.
 */
import { describe, expect, it } from 'vitest'
import { split, turns } from '../../src/core/index.ts'
import { anthropicMessages } from '../../src/dialects/index.ts'
import { guard } from '../../src/guard/index.ts'
import { memoryStore, openSession } from '../../src/session.ts'

const json = { 'content-type': 'application/json' }
const user = (content: unknown) => ({ role: 'user', content })

/** A guard in front of a provider with these answers, and the bodies that it got. */
function guarded(answers: readonly (object | string)[], options: object = {}) {
  const sent: string[] = []
  const ask = guard({
    wait: async () => {},
    ...options,
    fetch: async (_input, init) => {
      sent.push(await new Response(init!.body).text())
      const answer = answers[sent.length - 1] ?? {}
      const text = typeof answer === 'string' ? JSON.stringify({ error: { message: answer } }) : JSON.stringify(answer)
      return new Response(text, { status: typeof answer === 'string' ? 400 : 200, headers: json })
    },
  })
  return { ask, sent }
}

describe('the signature memory', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'EqQBc2ln' }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  const reply = { type: 'message', role: 'assistant', content: [thinking, call], stop_reason: 'tool_use' }
  const result = user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'fine' }])
  const body = (messages: unknown[], more: object = {}) =>
    JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages,
      ...more,
    })
  const messages = [user('Look.'), { role: 'assistant', content: [call] }, result]

  it.each<[string, string, Record<string, string>]>([
    ['a version', body(messages), { 'anthropic-version': '2031-01-01' }],
    ['a key of the request', body(messages, { ledger: 'l_1' }), {}],
    [
      'an unknown block',
      body([...messages.slice(0, 2), user([...(result.content as object[]), { type: 'run_report' }])]),
      {},
    ],
  ])('restores nothing beside %s', async (_name, later, headers) => {
    const { ask, sent } = guarded([reply, reply, reply], { signatureMemory: true })
    const send = (text: string, more = {}) =>
      ask('https://api.anthropic.com/v1/messages', { method: 'POST', headers: { ...json, ...more }, body: text })
    await (await send(body([user('Look.')]))).text()
    await (await send(body(messages))).text()
    expect(sent[1]).toContain('EqQBc2ln')
    await (await send(later, headers)).text()
    expect(sent[2]).toBe(later)
  })
})

describe('a strict repair that was accepted', () => {
  it('is repeated, but not on something new', async () => {
    const begun = [user('one'), { role: 'assistant', content: 'an answer' }, user('two'), user('three')]
    const rejection = 'Conversation roles must alternate user/assistant/user/assistant/...'
    const { ask, sent } = guarded([rejection], { provider: 'openai' })
    const send = (messages: unknown[]) =>
      ask('http://anywhere/v1/chat/completions', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ model: 'm', messages }),
      })
    await send(begun)
    expect(JSON.parse(sent[1]!).messages).toHaveLength(3)
    const call = { id: 'call_1', type: 'function', runs_until: 'noon', function: { name: 'look', arguments: '{}' } }
    const next = [{ role: 'assistant', content: 'ok', tool_calls: [call] }, user('and?')]
    await send([...begun, ...next])
    expect(JSON.parse(sent[2]!).messages.slice(-2)).toEqual(next)
    expect(sent[2]).not.toContain('No result')
  })
})

describe('a session', () => {
  const history = async (provider: 'openai' | 'openai-responses', messages: object[]) => {
    const session = await openSession(memoryStore(), 's', { provider })
    for (const message of messages) await session.append([message])
    return [await session.raw(), await session.history()]
  }
  const chat = (more: object) => [
    user('Go.'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'build', arguments: '{}' }, ...more }],
    },
    user('And meanwhile?'),
    { role: 'assistant', content: 'I wait.' },
  ]
  const items = (more: object) => [
    user('Go.'),
    { type: 'function_call', call_id: 'call_1', name: 'build', arguments: '{}', ...more },
    user('And meanwhile?'),
  ]

  it('closes a call, unless it may be open on purpose', async () => {
    expect((await history('openai', chat({})))[1]).toHaveLength(5)
    for (const list of [chat({ runs_until: 'noon' }), chat({ type: 'standing_order' })])
      expect(await history('openai', list)).toEqual([list, list])
    expect((await history('openai-responses', items({})))[1]).toHaveLength(4)
    for (const list of [items({ async: true }), items({ runs_until: 'noon' })])
      expect(await history('openai-responses', list)).toEqual([list, list])
  })

  it('leaves such a call open while it is the last message', async () => {
    const list = chat({ runs_until: 'noon' }).slice(0, 2)
    expect(await history('openai', list)).toEqual([list, list])
  })
})

it('a signed summary is the beginning of the first turn, and never cut from it', () => {
  const summary = { role: 'assistant', content: [{ type: 'compaction', content: 'So far.', signature: 'c2ln' }] }
  const list = [
    summary,
    user('one'),
    { role: 'assistant', content: 'a' },
    user('two'),
    { role: 'assistant', content: 'b' },
  ]
  expect(turns(list, anthropicMessages)[0]).toMatchObject({ start: 0 })
  for (let minKeep = 0; minKeep <= list.length; minKeep++) {
    const { head, tail, preamble } = split(list, anthropicMessages, { minKeep })
    expect([...preamble, ...tail].indexOf(summary), `${minKeep}`).toBe(head.length === 0 ? 0 : -1)
  }
})
