/**
 * Defects of an earlier agent that are about a stored history, a rejection or the cost of a repair: each test shows
 * that Suture does not have it. The others are in sessions, agent and cutting. Ids in brackets number the cases of
 * earlier agents' test suites, so that none gets lost; each title describes its case.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Dialect, isSynthetic, type Part, repair } from '../../src/core/index.ts'
import { explain } from '../../src/guard/index.ts'
import { providers } from '../../src/providers/index.ts'
import { rules } from '../../src/rules/index.ts'
import { memoryStore } from '../../src/session.ts'
import { expressible, parseHistory } from '../../src/testing/index.ts'
import { invalid, open, outline, setups, tool } from '../agent-setup.ts'
import { notationOf } from '../shorthand.ts'

const tools = [tool('t', () => '')]

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  /** Stored as it is, opened again, and held to its provider. */
  const reloaded = async (notation: string) => {
    const store = memoryStore()
    const messages = parseHistory(notation, setup.dialect)
    await (await open(setup, store)).append(messages)
    const session = await open(setup, store)
    expect(await invalid(setup, session, tools)).toEqual([])
    return session
  }
  const pairsOf = (dialect: Dialect, history: readonly unknown[]) => {
    const parts: Part[] = []
    for (const [i, message] of history.entries()) dialect.read(message, i, parts)
    const results = parts.filter(({ kind }) => kind === 'result')
    const calls = parts.filter(({ kind }) => kind === 'call')
    return { calls, results, texts: results.map((part) => dialect.content(part).text) }
  }
  const paired = async (notation: string) => {
    const session = await reloaded(notation)
    return pairsOf(session.wiring.service.dialect, await session.history())
  }

  it('an id that is used again in a later round loses no result [OD1]', async () => {
    const { calls, results, texts } = await paired(notationOf('U A{x} R(x,one) A U A{x} R(x,two) A'))
    expect(texts).toEqual(['one', 'two'])
    expect(calls).toHaveLength(2)
    // Where an id must be unique the later pair has another one, call and result alike.
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
  })

  it('two calls of one id in one answer are two calls, each with its result [OD2]', async () => {
    const { calls, results, texts } = await paired(notationOf('U A{a,a} R(a,one) R(a,two) A'))
    expect([calls.length, results.length]).toEqual([2, 2])
    expect(texts).toEqual(expect.arrayContaining(['one', 'two']))
  })

  it('a result before its call is not lost [OD3]', async () => {
    const given = notationOf('U R(x,early) A{x} A')
    if (!expressible(given, setup.dialect)) return
    const session = await reloaded(given)
    const stored = await outline(session)
    expect(stored.match(/early/g)).toHaveLength(1)
    expect(stored).not.toContain('No result of this tool call')
  })

  it('a call without an id, found on reload, is repaired or left out, never sent as it is [OD4]', async () => {
    const store = memoryStore()
    const messages = parseHistory(notationOf('U A{x} U'), setup.dialect)
    const idless = JSON.parse(JSON.stringify(messages), (key, value) =>
      ['id', 'call_id', 'toolUseId'].includes(key) ? '' : value,
    )
    await (await open(setup, store)).append(idless)
    expect(await invalid(setup, await open(setup, store), tools)).toEqual([])
  })

  it('the content of an orphaned result stays in sight [OD5]', async () => {
    const session = await reloaded(notationOf('U A U R(ghost,precious) A'))
    expect(JSON.stringify(await session.history())).toContain('precious')
  })

  it('roles, the first user message and content are repaired: two prompts in a row, an answer first, no content [OD18]', async () => {
    await reloaded('user: first\nuser: second\nassistant: yes')
    await reloaded('assistant: hello\nuser: hi\nassistant: call a t\nuser: well?')
    const session = await open(setup)
    const { dialect } = session.wiring.service
    await session.append([
      dialect.textMessage('user', 'hi'),
      dialect.textMessage('assistant', ''),
      dialect.textMessage('user', 'hm'),
    ])
    expect(await invalid(setup, session, tools)).toEqual([])
  })

  it('twice the rounds are read twice as often, broken or not [OD19]', () => {
    const service = providers
      .find(({ id }) => id === setup.provider)!
      .serves.find((one) => one.dialect.id === setup.dialect)!
    const reads = (rounds: number, round: string) => {
      let count = 0
      const { dialect } = service
      const counted: Dialect = {
        ...dialect,
        read(...given) {
          count++
          return dialect.read(...given)
        },
      }
      const lines = Array.from({ length: rounds }, (_, n) => notationOf(round.replaceAll('x', `x${n}`)))
      const history = parseHistory(lines.join('\n'), setup.dialect)
      repair(history, { service: { ...service, dialect: counted }, rules, model: setup.model })
      return count
    }
    for (const round of ['U A{x} R(x) A', 'U A{x} A', 'U A{x} U R(x) A']) {
      const [once, twice] = [reads(100, round), reads(200, round)]
      expect(twice, `${round}: ${once}, ${twice}`).toBeLessThanOrEqual(2 * once + 20)
    }
  })
})

it.each([
  [
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
    'prompt-too-long',
  ],
  ["Invalid value for 'max_tokens': must be a positive integer", 'prompt-too-long'],
  ['temperature exceeds the limit of 2', 'prompt-too-long'],
  ['You exceeded your current quota, please check your plan and billing details.', 'prompt-too-long'],
])('%s does not count as a history that is too long [OD16]', (text, rule) => {
  expect(explain(JSON.stringify({ error: { message: text } })).rule).not.toBe(rule)
})

it.each([
  'messages.500.content: Field required',
  'tool_use ids were found without tool_result blocks: toolu_429. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  'Unknown parameter: connection',
])('a number or a word in the text does not make %s something to wait out [OD16]', (text) => {
  expect(explain(JSON.stringify({ error: { message: text } })).kind).not.toBe('busy')
})

it('our own words for each cause are known again, and real output that quotes them is real [OD7]', () => {
  expect(isSynthetic('It said: "[Aborted by user]"')).toBe(false)
})

it('every numbered case (OD1 to OD19, OT1 to OT18) has a test with its id in the title', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  const titles = files
    .flatMap((text) => text.match(/(?:\bit|describe|\])\(['`].*|\)\(\s*['`].*|\bid: '.*/g) ?? [])
    .join('\n')
  const ids = [
    ...Array.from({ length: 19 }, (_, n) => `OD${n + 1}`),
    ...Array.from({ length: 18 }, (_, n) => `OT${n + 1}`),
  ]
  expect(ids.filter((id) => !new RegExp(`\\b${id}\\b`).test(titles))).toEqual([])
})
