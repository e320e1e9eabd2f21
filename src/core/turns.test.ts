import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { rounds, split, turns } from './turns.ts'

const user = (text: string) => ({ role: 'user', content: text })
const says = (text: string) => ({ role: 'assistant', content: text })
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: id })
const places = (groups: readonly { start: number; end: number }[]) => groups.map(({ start, end }) => [start, end])

describe('turns', () => {
  it('go from one prompt to the next', () => {
    const history = [
      { role: 'system', content: 's' },
      user('a'),
      calls('x'),
      result('x'),
      says('b'),
      user('c'),
      says('d'),
    ]
    expect(places(turns(history, openaiChat))).toEqual([
      [0, 5],
      [5, 7],
    ])
    expect(turns(history, openaiChat).map(({ name }) => name)).toEqual(['turn 1', 'turn 2'])
  })

  it('do not begin at a message that carries results, whatever its role', () => {
    const history = [
      user('a'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 't', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'x', content: '1' },
          { type: 'text', text: 'and now?' },
        ],
      },
      says('b'),
    ]
    expect(places(turns(history, anthropicMessages))).toEqual([[0, 4]])
  })
})

describe('rounds', () => {
  it('have names that logs can use', () => {
    const history = [user('a'), calls('x'), result('x'), says('b'), user('c'), says('d')]
    expect(rounds(history, openaiChat).map(({ name }) => name)).toEqual([
      'turn 1, round 1',
      'turn 1, round 2',
      'turn 2, round 1',
    ])
  })
})

describe('split', () => {
  const giant = [
    user('a'),
    ...Array.from({ length: 10 }, (_, i) => [calls(`c${i}`), result(`c${i}`)]).flat(),
    says('z'),
  ]

  it('keeps a minimum, never less', () => {
    const history = [user('a'), says('b'), user('c'), calls('x'), result('x'), says('d')]
    for (let minKeep = 0; minKeep <= 6; minKeep++) {
      const { tail, head } = split(history, openaiChat, { minKeep })
      expect(tail.length).toBeGreaterThanOrEqual(minKeep)
      expect([...head, ...tail]).toEqual(history)
    }
  })

  it('cuts a turn larger than maxKeep at a round, and returns the preamble for the rest', () => {
    const { at, tail, preamble } = split(giant, openaiChat, { minKeep: 4, maxKeep: 6 })
    expect(at).toBe(17)
    expect(tail[0]).toBe(giant[17])
    expect(preamble).toEqual([{ role: 'user', content: expect.any(String) }])
  })

  it('never divides a pair, also where the result came late', () => {
    const history = [user('a'), calls('x'), user('b'), says('c'), result('x'), user('d'), says('e')]
    for (let minKeep = 0; minKeep <= history.length; minKeep++) {
      expect([0, 5, 7]).toContain(split(history, openaiChat, { minKeep }).at)
    }
  })

  it('accepts 0 everywhere and rejects values that are not numbers', () => {
    expect(split(giant, openaiChat, { minKeep: 0 }).tail).toEqual([])
    expect(() => split(giant, openaiChat, { minKeep: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    )
    expect(() => split(giant, openaiChat, { minKeep: -1 })).toThrow(expect.objectContaining({ code: 'bad-option' }))
  })
})
