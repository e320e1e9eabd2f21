/**
 * Rounds by name: findings name theirs, and one round can be removed from a history in every dialect.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/index.ts'
import { apply, type Dialect, dialects, invert } from '../src/index.ts'
import { validHistory } from '../src/testing/arbitraries.ts'
import { history as talk } from '../src/testing/index.ts'
import { compact, dropRound, lint, rounds } from './untyped-api.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })
const user = (content: string) => ({ role: 'user', content })
const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
const result = (id: string, content = 'ok') => ({ role: 'tool', tool_call_id: id, content })
const says = (content: string) => ({ role: 'assistant', content })
const openai = { provider: 'openai', model: 'gpt-5' } as const

describe('a finding', () => {
  const broken = [
    user('one'),
    says('1'),
    user('two'),
    calls('a'),
    result('a'),
    calls('b', 'c'),
    result('b'),
    user('go on'),
  ]

  it('names its round', () => {
    const found = lint(broken, { ...openai })
    expect(found.map(({ rule, round }) => [rule, round])).toEqual([['tool-result-missing', 'turn 2, round 2']])
    expect(JSON.parse(JSON.stringify(found))[0].round).toBe('turn 2, round 2')
  })

  it('names it in a request body, too', () => {
    expect(lint({ model: 'gpt-5', messages: broken }, { ...openai })[0]?.round).toBe('turn 2, round 2')
  })

  it('about the request as a whole names no round', () => {
    const found = lint({ messages: [] }, { provider: 'openai', dialect: 'openai-chat' })
    expect(found.map(({ rule, round }) => [rule, round])).toEqual([['messages-empty', undefined]])
  })
})

describe('rounds', () => {
  it('tell where the reply begins', () => {
    const list = [{ role: 'system', content: 's' }, user('a'), calls('x'), result('x'), says('b'), user('c')]
    expect(rounds(list).map(({ start, reply, end }) => [start, reply, end])).toEqual([
      [0, 2, 4],
      [4, 4, 5],
      [5, 6, 6],
    ])
  })
})

describe('dropRound', () => {
  const list = [
    user('one'),
    calls('a', 'b'),
    result('a'),
    result('b'),
    says('1'),
    user('two'),
    says('2'),
    user('three'),
  ]

  it('removes the reply and its results, and keeps the prompt', () => {
    const { history, patch, round, dropped } = dropRound(list, 'turn 1, round 1', openai)
    expect(history).toEqual([list[0], ...list.slice(4)])
    expect(history[0]).toBe(list[0])
    expect([round.name, dropped]).toEqual(['turn 1, round 1', list.slice(1, 4)])
    expect(apply(history, invert(patch))).toEqual(list)
    expect(lint(history, { ...openai })).toEqual([])
  })

  it('takes a round as `rounds` gives it, and needs no provider', () => {
    const [, , third] = rounds(list)
    expect(dropRound(list, third!).history).toEqual([...list.slice(0, 6), list[7]])
  })

  it('of a request body gives a request body', () => {
    const body = { model: 'gpt-5', messages: list, temperature: 1 }
    const { history, patch } = dropRound(body, 'turn 2, round 1', openai)
    expect(history).toEqual({ ...body, messages: [...list.slice(0, 6), list[7]] })
    expect(apply(history, invert(patch))).toEqual(body)
  })

  it('leaves user text in the middle of it, also next to a result', () => {
    const { history } = dropRound(
      [
        user('go'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'run', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'ok' },
            { type: 'text', text: 'and hurry' },
          ],
        },
      ],
      'turn 1, round 1',
      { provider: 'anthropic' },
    )
    expect(JSON.stringify(history)).toContain('and hurry')
    expect(JSON.stringify(history)).not.toContain('tool_result')
  })

  it('of a prompt without a reply changes nothing', () => {
    expect(dropRound(list, 'turn 3, round 1', openai)).toMatchObject({ patch: [], dropped: [] })
    expect(dropRound(list, 'turn 3, round 1', openai).history).toBe(list)
  })

  it('of a round that does not exist lists the rounds', () => {
    expect(() => dropRound(list, 'turn 9, round 1', openai)).toThrow('The last one is "turn 3, round 1"')
  })

  it('leaves calls of the last round open that are not about to be sent', () => {
    const open = [...list, calls('c')]
    expect(dropRound(open, 'turn 1, round 2', { ...openai, inProgress: true }).history.at(-1)).toBe(open.at(-1))
  })

  const endpoints: Readonly<
    Record<string, readonly [endpoint: 'chat' | 'messages' | 'responses' | 'gemini' | 'converse', model: string]>
  > = {
    'openai-chat': ['chat', 'gpt-5'],
    'anthropic-messages': ['messages', 'claude-sonnet-4-5'],
    'openai-responses': ['responses', 'gpt-5'],
    gemini: ['gemini', 'gemini-2.5-pro'],
    'bedrock-converse': ['converse', 'anthropic.claude-sonnet-4-5'],
  }
  const providers: Readonly<Record<string, string>> = {
    'anthropic-messages': 'anthropic',
    gemini: 'gemini',
    'bedrock-converse': 'bedrock',
  }

  it.each(Object.keys(endpoints))('any round of a valid history, %s', (id) => {
    const dialect = dialects.find((one) => one.id === id)!
    const [endpoint, model] = endpoints[id]!
    const provider = providers[id] ?? 'openai'
    const to = { provider, dialect: id, model }
    fc.assert(
      fc.property(validHistory(id), fc.nat(), (list, which) => {
        const all = rounds(list, { dialect: id })
        const round = all[which % Math.max(1, all.length)]
        if (!round || lint(list, to).length > 0) return
        const { history, patch } = dropRound(list, round, to)
        expect(apply(history, invert(patch))).toEqual(list)
        expect(lint(history, to).filter(({ severity }) => severity === 'error')).toEqual([])
        for (const prompt of promptsOf(list, dialect)) expect(promptsOf(history, dialect).join('\n')).toContain(prompt)
        const tools = id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
        const body = { model, [dialect.key]: history, ...tools }
        expect(judge({ provider, endpoint, model, body })).toMatchObject({ accepted: true })
      }),
      { numRuns: 150, seed: 20261115 },
    )
  })

  function promptsOf(list: readonly unknown[], dialect: Dialect): readonly string[] {
    return list.flatMap((message, i) => {
      const parts: Parameters<Dialect['read']>[2] = []
      const role = dialect.read(message, i, parts)
      if (role !== 'user') return []
      return parts.flatMap(({ kind, body }) => (kind === 'text' && typeof body === 'string' ? [body] : []))
    })
  }
})

describe('compact with minKeep', () => {
  const long = Array.from({ length: 30 }, (_, n) => [
    user(`question ${n}`),
    calls(`c${n}`),
    result(`c${n}`, 'x'.repeat(900)),
    says(`answer ${n}`),
  ]).flat()
  const budget = { limit: 2_000, goal: 600 }

  it('keeps at least so many messages at the end as they are', () => {
    for (const minKeep of [0, 1, 9, 22, 40]) {
      const { history, plan, undo } = compact(long, { ...openai, budget, minKeep })
      expect(plan.changesAnything).toBe(true)
      expect(history.slice(history.length - minKeep)).toEqual(long.slice(long.length - minKeep))
      for (let i = 1; i <= minKeep; i++) expect(history.at(-i)).toBe(long.at(-i))
      expect(apply(history, undo)).toEqual(long)
    }
  })

  it('does nothing if everything has to stay, and gives the reason', () => {
    const { history, plan } = compact(long, { ...openai, budget, minKeep: long.length })
    expect(history).toBe(long)
    expect(plan.why.map(({ code }) => code)).toContain('no-place-to-cut')
  })

  it('is a number from 0 up', () => {
    for (const minKeep of [-1, Number.NaN, '3' as never])
      expect(() => compact(long, { ...openai, budget, minKeep })).toThrow(
        '"minKeep" must be a number of messages from 0',
      )
  })
})

describe('the receipt of a compaction', () => {
  it('names the rounds that changed', () => {
    const list = talk`
      user: one
      assistant: ok
      user: two
      assistant: ok
      user: three`.in('openai-chat')
    const { receipt } = compact([...list.slice(0, 1), says('word '.repeat(3_000)), ...list.slice(2)], {
      ...openai,
      budget: { limit: 1_000, goal: 400 },
    })
    expect(receipt.rounds).toEqual(['turn 1, round 1'])
  })

  it('names the rounds whose results are shorter', () => {
    const list = [
      user('one'),
      calls('a'),
      result('a', 'x '.repeat(30_000)),
      says('1'),
      user('two'),
      says('2'),
      user('three'),
      says('3'),
    ]
    const { receipt } = compact(list, { ...openai, budget: { limit: 12_000, goal: 6_000 } })
    expect(receipt.strategies).toEqual(['shrink'])
    expect(receipt.rounds).toEqual(['turn 1, round 1'])
  })
})
