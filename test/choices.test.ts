/**
 * Of two, which: cases where more than one outcome would be accepted by the provider, and only one is right for the
 * user. The promises (accepted, nothing lost) cannot tell these apart.
 */
import { describe, expect, it } from 'vitest'
import { dialects } from '../src/index.ts'
import { memoryStore } from '../src/session.ts'
import { parseHistory, printHistory } from '../src/testing/index.ts'
import { lint, type NamedOptions, openSession, repair, split } from './untyped-api.ts'

const CHAT = { provider: 'openai', dialect: 'openai-chat' }
const MESSAGES = { provider: 'anthropic', dialect: 'anthropic-messages' }
const RESPONSES = { provider: 'openai-responses', dialect: 'openai-responses' }
const MADE = '[no result recorded]'

interface Choice {
  readonly options: NamedOptions & { readonly dialect: string }
  readonly given: string
  /** These lines are in the repaired history, in this order. */
  readonly keeps: readonly string[]
}

const choices: Readonly<Record<string, Choice>> = {
  'a failed result with text, then a whole one: the first stays, since both are real': {
    options: MESSAGES,
    given: `
      user: go
      assistant: call a run
      tool: failed a exit code 1
      tool: result a done
      assistant: ok`,
    keeps: ['tool: failed a exit code 1'],
  },
  'a failed result without text, then a whole one: the whole one stays': {
    options: MESSAGES,
    given: `
      user: go
      assistant: call a run
      tool: failed a
      tool: result a done
      assistant: ok`,
    keeps: ['tool: result a done'],
  },
  'two whole results: the first stays': {
    options: CHAT,
    given: `
      user: go
      assistant: call a run
      tool: result a one
      tool: result a two
      assistant: ok`,
    keeps: ['tool: result a one'],
  },
  'two whole results, `policy.duplicate: last`: the last stays': {
    options: { ...CHAT, policy: { duplicate: 'last' } } as Choice['options'],
    given: `
      user: go
      assistant: call a run
      tool: result a one
      tool: result a two
      assistant: ok`,
    keeps: ['tool: result a two'],
  },
  'a result between two calls with its id goes to the earlier one': {
    options: CHAT,
    given: `
      user: go
      assistant: call a run
      user: and?
      tool: result a late
      assistant: call a run
      tool: result a second
      assistant: ok`,
    keeps: ['tool: result a late', 'tool: result a second'],
  },
}

describe('which of two stays', () => {
  it.each(Object.entries(choices))('%s', (_, { options, given, keeps }) => {
    const { value, remaining } = repair(parseHistory(given, options.dialect), options)
    const lines = printHistory(value, dialects.find(({ id }) => id === options.dialect)!).split('\n')
    expect(lines.filter((line) => keeps.includes(line))).toEqual(keeps)
    expect(lines.filter((line) => /^tool: /.test(line))).toEqual(keeps)
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('which mark of a cache goes', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const text = (name: string, marked: boolean) => ({ type: 'text', text: name, ...(marked ? mark : {}) })
  const marked = (list: readonly unknown[]) => list.map((one) => 'cache_control' in (one as object))

  it('the last mark of messages, system and tools stays; of the others the later one', () => {
    const body = {
      tools: [
        { name: 'a', input_schema: { type: 'object' }, ...mark },
        { name: 'b', input_schema: { type: 'object' }, ...mark },
      ],
      system: [text('s1', true), text('s2', true)],
      messages: [{ role: 'user', content: [text('m1', true), text('m2', true)] }],
    }
    const { value } = repair(body, { ...MESSAGES, strict: true })
    const { tools, system, messages } = value
    expect(marked(messages[0]!.content)).toEqual([true, true])
    expect(marked(system)).toEqual([false, true])
    expect(marked(tools)).toEqual([false, true])
  })

  it('with one mark too many in system and in tools, that of the tools goes', () => {
    const body = {
      tools: [{ name: 'a', input_schema: { type: 'object' }, ...mark }],
      system: [text('s1', true)],
      messages: [{ role: 'user', content: ['1', '2', '3', '4'].map((name) => text(name, true)) }],
    }
    const { value } = repair(body, { ...MESSAGES, strict: true })
    expect(marked(value.tools).concat(marked(value.system))).toEqual([true, true])
    expect(marked(value.messages[0]!.content)).toEqual([false, false, true, true])
  })
})

describe('error or warning', () => {
  it('a second result, later, where results may be anywhere: a warning', () => {
    const history = parseHistory(
      `
      user: go
      assistant: call a run
      tool: result a one
      assistant: ok
      user: next
      tool: result a two`,
      'openai-responses',
    )
    expect(lint(history, RESPONSES).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['tool-result-orphan', 'warning'],
    ])
  })
})

describe('where a history is cut', () => {
  const turn = (i: number) => [
    { role: 'user', content: `q${i}` },
    { role: 'assistant', content: `a${i}` },
  ]
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      { role: 'assistant', content: null, tool_calls: [call(`c${i}`)] },
      { role: 'tool', tool_call_id: `c${i}`, content: 'ok' },
    ]).flat()
  const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })

  it('a last turn of exactly maxKeep messages stays whole', () => {
    const history = [...turn(1), { role: 'user', content: 'go' }, ...rounds(3)]
    expect(split(history, { minKeep: 2, maxKeep: 7, dialect: 'openai-chat' }).at).toBe(2)
    expect(split(history, { minKeep: 2, maxKeep: 6, dialect: 'openai-chat' }).at).toBe(7)
  })

  it('minKeep is a minimum: the cut goes back to the turn', () => {
    const history = [...turn(1), ...turn(2), ...turn(3)]
    expect(split(history, { minKeep: 3, dialect: 'openai-chat' }).at).toBe(2)
    expect(split(history, { minKeep: 4, dialect: 'openai-chat' }).at).toBe(2)
  })
})

describe('results that come late to a session', () => {
  const pair = (id: string, content: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]

  it('a copy of a result that is there is left out of the view', async () => {
    const session = await openSession(memoryStore(), 's', CHAT)
    await session.append([{ role: 'user', content: 'go' }, ...pair('a', 'done')])
    await session.append([{ role: 'tool', tool_call_id: 'a', content: 'done' }])
    const { history } = await session.view()
    expect(history.filter((one) => (one as { role: string }).role === 'tool')).toHaveLength(1)
    expect(JSON.stringify(history)).not.toContain(MADE)
  })
})
