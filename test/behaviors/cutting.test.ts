/**
 * Cases of earlier agents about grouping and cutting.
 * Ids in brackets number the cases of earlier agents' test suites, so that none gets lost; each title describes its
 * case.
 */

import { describe, expect, it, type TestContext } from 'vitest'
import { type Dialect, dialects } from '../../src/index.ts'
import { expressible, parseHistory } from '../../src/testing/index.ts'
import { skeletonOf } from '../history-to-shorthand.ts'
import { notationOf } from '../shorthand.ts'
import { lint, rounds, split, turns } from '../untyped-api.ts'

/** A turn with this many tool calls, one after the other: 2 messages and 2 more for each. */
const turn = (name: string, tools: number) =>
  `U ${Array.from({ length: tools }, (_, i) => `A{${name}${i}} R(${name}${i})`).join(' ')} A`

const chat = (shorthand: string) => parseHistory(notationOf(shorthand), 'openai-chat')

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  const write = (shorthand: string) => parseHistory(notationOf(shorthand), id)
  /** If a result is part of its call, a round is a single message: these counts of messages do not apply there. */
  const needs = (context: TestContext, ...shorthands: string[]) => {
    if (!shorthands.every((one) => expressible(notationOf(one), id))) context.skip('no message of its own for a result')
  }
  const cut = (shorthand: string, minKeep: number) => {
    const history = write(shorthand)
    const { head, tail } = split(history, { dialect: id, minKeep })
    return { size: history.length, head: head.length, tail: tail.length, starts: skeletonOf(tail.slice(0, 1), dialect) }
  }

  it('turns of 3, 2 and 1 tools, keep 4: the tail starts with a prompt [BT1]', (context) => {
    const given = `${turn('a', 3)} ${turn('b', 2)} ${turn('c', 1)}`
    needs(context, given)
    expect(cut(given, 4)).toMatchObject({ head: 14, tail: 4, starts: 'U' })
  })

  it('three plain turns, keep 2: exactly 2 [BT2]', () => {
    expect(cut('U A U A U A', 2)).toMatchObject({ tail: 2, starts: 'U' })
  })

  it('one turn of ten tools, keep 4: nothing is cut off [BT3]', (context) => {
    needs(context, turn('a', 10))
    expect(cut(turn('a', 10), 4)).toMatchObject({ head: 0, tail: 22 })
  })

  it('with a bound: the same turn is cut at a round, which frees it [BT3, BD12]', (context) => {
    needs(context, turn('a', 10))
    const history = write(turn('a', 10))
    const { head, tail, preamble } = split(history, { dialect: id, minKeep: 4, maxKeep: 6 })
    expect(head.length).toBeGreaterThan(0)
    expect(tail.length).toBeGreaterThanOrEqual(4)
    expect(preamble).toHaveLength(1)
  })

  it('four messages, keep 4: nothing is cut off [BT4]', () => {
    expect(cut('U A U A', 4)).toMatchObject({ head: 0, tail: 4 })
  })

  it('a plain turn and one with a tool, keep 3: at the second prompt [BT5]', (context) => {
    needs(context, turn('a', 1))
    expect(cut(`U A ${turn('a', 1)}`, 3)).toMatchObject({ head: 2, tail: 4, starts: 'U' })
  })

  it('keep 0 is legal [BD10]', () => {
    expect(cut('U A', 0)).toMatchObject({ tail: 0 })
  })

  it('no cut ever leaves half a pair [GT11, BD11, OD15, LD16, LD20, LD21]', (context) => {
    const given = ['U A{x} R(x) A U A{y,z} R(y) R(z) A', "U A{x} U' R(x) A U A", 'U A{x} R(x) A{y} R(y) A']
    needs(context, ...given)
    for (const shorthand of given) {
      const history = write(shorthand)
      for (let minKeep = 0; minKeep <= history.length; minKeep++) {
        for (const maxKeep of [minKeep, Infinity]) {
          const { head, tail } = split(history, { dialect: id, minKeep, maxKeep })
          for (const half of [head, tail]) expect(missingIn(half, id)).toEqual([])
        }
      }
    }
  })

  it('a dangling call stays in its round [G5]', () => {
    expect(groupsOf(rounds(write('U A{x} U A'), { dialect: id }), write('U A{x} U A'), dialect)).toEqual([
      'U A{x}',
      'U A',
    ])
  })

  it('nothing, no groups [GT1]', () => {
    expect(rounds([], { dialect: id })).toEqual([])
    expect(turns([], { dialect: id })).toEqual([])
  })

  it('a prompt and its answer are one round: dropping a round never drops the question of the next [GT2]', () => {
    expect(groupsOf(rounds(write('U A'), { dialect: id }), write('U A'), dialect)).toEqual(['U A'])
  })

  it('two prompts and their answers are two rounds [GT3]', () => {
    const history = write("U A U' A")
    expect(groupsOf(rounds(history, { dialect: id }), history, dialect)).toEqual(['U A', "U' A"])
  })

  it('a pair stays together, and the prompt with the round that answers it [GT5]', (context) => {
    needs(context, 'U A{c} R(c) A')
    const history = write('U A{c} R(c) A')
    expect(groupsOf(rounds(history, { dialect: id }), history, dialect)).toEqual(['U A{c} R(c)', 'A'])
  })

  it('turns are prompts, not messages of role user', (context) => {
    needs(context, "U A{c} R(c) A U' A")
    const history = write("U A{c} R(c) A U' A")
    expect(groupsOf(turns(history, { dialect: id }), history, dialect)).toEqual(['U A{c} R(c) A', "U' A"])
  })
})

describe('answers that came in pieces', () => {
  const pieces = [
    { role: 'user', content: 'U' },
    { role: 'assistant', id: 'msg_1', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
    { role: 'assistant', id: 'msg_1', content: [{ type: 'tool_use', id: 'c', name: 't', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] },
    { role: 'assistant', id: 'msg_1', content: [{ type: 'text', text: 'said' }] },
  ]

  it('one id is one round, also with results between [GT4, G3]', () => {
    expect(rounds(pieces, { dialect: 'anthropic-messages' })).toHaveLength(1)
  })

  it('a cut moves back to include the thinking [GT12]', () => {
    const history = [...pieces.slice(0, 3), pieces[3]!]
    expect(split(history, { dialect: 'anthropic-messages', minKeep: 2, maxKeep: 2 }).at).toBe(0)
  })
})

describe('the boundary suite', () => {
  it.each([
    ['no tools at index 2', 'U A U A', 2, 2],
    ['index on a result', 'U A{x} R(x) A U A', 4, 0],
    ['two results', 'U A{x,y} R(x) R(y) A U A', 4, 0],
    ['index 0', 'U A', 2, 0],
    ['an unanswered call before the cut', 'U A U A{x} U A', 2, 4],
    ['interleaved rounds', 'U A{x} R(x) A{y} R(y) A U A', 3, 0],
  ])('%s', (_name, shorthand, minKeep, at) => {
    expect(split(chat(shorthand), { dialect: 'openai-chat', minKeep }).at).toBe(at)
  })

  it('with the index on the last result the pair stays whole, where they kept the result and dropped its call [LD16]', () => {
    const history = chat('U A{x} R(x) A')
    for (const maxKeep of [2, Infinity])
      expect(split(history, { dialect: 'openai-chat', minKeep: 2, maxKeep }).at).toBe(0)
  })
})

function groupsOf(
  groups: readonly { start: number; end: number }[],
  history: readonly unknown[],
  dialect: Dialect,
): string[] {
  return groups.map(({ start, end }) => skeletonOf(history.slice(start, end), dialect))
}

function missingIn(half: readonly unknown[], dialect: string): string[] {
  const rules = ['tool-result-orphan', 'tool-result-duplicate']
  return half.length === 0
    ? []
    : lint(half, { provider: 'strictest', dialect })
        .map(({ rule }) => rule)
        .filter((rule) => rules.includes(rule))
}

it('`expressible` tells what a dialect cannot express', () => {
  expect(expressible(notationOf('U A{x} R(x)'), 'gemini')).toBe(true)
})
