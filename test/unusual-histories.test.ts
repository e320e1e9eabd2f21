/**
 * Odd histories: nothing throws, nothing is lost, nothing is quadratic. No durations are asserted: a quadratic step
 * would not end.
 */

import { describe, expect, it } from 'vitest'
import { apply, dialects, invert } from '../src/index.ts'
import { expressible, parseHistory } from '../src/testing/index.ts'
import { mains } from './dialect-table.ts'
import { LONG } from './long-runs.ts'
import { lint, repair, rounds, split, turns } from './untyped-api.ts'

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + '"\\ud800"' + ']'.repeat(depth))

/** How many there are of what is many. */
const MANY = LONG ? 10_000 : 2_000

describe.each(dialects.map((dialect) => [dialect.id]))('%s', (id) => {
  const options = { provider: mains[id]!, dialect: id }
  const strict = { provider: 'strictest', dialect: id } as const
  const settles = (history: unknown[], keeps: readonly string[] = []) => {
    for (const target of [options, strict]) {
      const { value: after, patch } = repair(history, target)
      expect(lint(after, target).filter((one) => one.severity === 'error' && one.fix)).toEqual([])
      expect(repair(after, target).value).toBe(after)
      expect(apply(after, invert(patch))).toEqual(history)
      const text = JSON.stringify(after)
      for (const kept of keeps) expect(text).toContain(kept)
    }
  }

  const APART = 'this dialect keeps a result in the part of its call'
  const hasToolMessages = expressible('tool: result c out', id)

  it('thousands of parallel calls in one message, answered backwards, every tenth not at all', (context) => {
    if (!hasToolMessages) return context.skip(APART)
    const ids = Array.from({ length: MANY }, (_, i) => `c${i}`)
    const answered = ids.filter((_, i) => i % 10 !== 0).reverse()
    const history = parseHistory(
      `user: go\nassistant: ${ids.map((one) => `call ${one} t`).join(' | ')}\ntool: ${answered.map((one) => `result ${one} out-${one}`).join(' | ')}\nuser: and?`,
      id,
    )
    const { value: after, findings } = repair(history, options)
    expect(findings.filter(({ rule }) => rule === 'tool-result-missing')).toHaveLength(MANY / 10)
    expect(lint(after, options).filter(({ severity }) => severity === 'error')).toEqual([])
    const text = JSON.stringify(after)
    for (const one of answered) expect(text.includes(`out-${one}"`) || text.includes(`out-${one}`)).toBe(true)
  })

  it('thousands of calls with one id', (context) => {
    if (!hasToolMessages) return context.skip(APART)
    const line = Array.from({ length: MANY }, () => 'call same t').join(' | ')
    const results = Array.from({ length: MANY }, (_, i) => `result same out-${i}`).join(' | ')
    settles(parseHistory(`user: go\nassistant: ${line}\ntool: ${results}\nuser: and?`, id), [
      'out-0',
      `out-${MANY - 1}`,
    ])
  })

  it('results of one id in the wrong place, thousands of times', (context) => {
    if (!hasToolMessages) return context.skip(APART)
    const strays = Array.from({ length: MANY }, (_, i) => `tool: result x stray-${i}\nuser: u${i}`).join('\n')
    settles(parseHistory(`user: go\n${strays}\nassistant: call x t\nuser: and?`, id), [
      'stray-0',
      `stray-${MANY - 1}`,
      `u${MANY - 1}`,
    ])
  })

  it('unusual names, keys and ids', (context) => {
    if (!hasToolMessages) return context.skip(APART)
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const history = parseHistory(`user: go\nassistant: call ${name} ${name} {"a":1}\nuser: and?`, id)
      settles(JSON.parse(JSON.stringify(history).replaceAll('"a":1', '"__proto__":{"x":"\\ud800"}')))
    }
  })

  it('nesting a hundred thousand deep, with a broken character at the bottom', (context) => {
    if (!hasToolMessages) return context.skip(APART)
    const history = parseHistory('user: go\nassistant: call a t {"deep":"DEEP"}\ntool: result a ok\nuser: and?', id)
    const deep = place(history, nested(100_000))
    for (const target of [options, strict]) expect(() => repair(deep, target)).not.toThrow()
  })

  it.each([
    ['null entries', [null, undefined, 0, '', 'text', [], {}, true]],
    ['invalid roles', [{ role: 5 }, { role: 'alien', content: 'x' }, { role: null, content: null }]],
    [
      'invalid contents',
      ['user', 'assistant', 'tool', 'model', 'system'].flatMap((role) =>
        [null, 7, {}, [null, 3, 'x', [], {}]].map((content) => ({ role, content, parts: content })),
      ),
    ],
    [
      'invalid calls',
      [
        {
          role: 'assistant',
          tool_calls: [null, 1, {}, { id: 1 }, { function: null }, { id: '', function: { name: 3, arguments: 9 } }],
        },
      ],
    ],
    [
      'invalid items',
      [
        { type: 'function_call' },
        { type: 'function_call_output' },
        { type: 'reasoning' },
        { type: 7 },
        { type: 'item_reference' },
      ],
    ],
    [
      'invalid blocks',
      [
        {
          role: 'user',
          content: [{ type: 'tool_result' }, { toolResult: null }, { functionResponse: 4 }],
          parts: [{ functionResponse: null }, { functionCall: 'x' }],
        },
      ],
    ],
  ])('%s: findings, no exception', (_name, history) => {
    for (const target of [options, strict]) {
      expect(() => lint(history, target)).not.toThrow()
      const { value: after, patch } = repair(history, target)
      expect(apply(after, invert(patch))).toEqual(history)
    }
  })

  it('arguments that go in a circle', () => {
    const history = parseHistory('user: go\nassistant: call a t {"deep":"DEEP"}\nuser: and?', id)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(() => repair(place(history, circle), options)).not.toThrow()
  })

  it('a frozen history is never written to', () => {
    const history = parseHistory('user: go\nassistant: call a t\nuser: and?', id)
    const frozen = JSON.parse(JSON.stringify(history), (_key, value) =>
      typeof value === 'object' ? Object.freeze(value) : value,
    )
    expect(() => repair(frozen, options)).not.toThrow()
  })
})

it(`${MANY * 100} messages, a fault in every tenth round`, () => {
  const history: unknown[] = []
  for (let i = 0; history.length < MANY * 100; i++) {
    history.push({ role: 'user', content: `q${i}` })
    history.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 't', arguments: '{}' } }],
    })
    if (i % 10 !== 0) history.push({ role: 'tool', tool_call_id: `c${i}`, content: `r${i}` })
    history.push({ role: 'assistant', content: `a${i}` })
  }
  const { value: after, findings } = repair(history, { provider: 'openai' })
  expect(after.length - history.length).toBe(findings.filter(({ rule }) => rule === 'tool-result-missing').length)
  expect(after.length).toBeGreaterThan(history.length)
})

it('the model is read from the request, under any of its names', () => {
  const messages = [
    { role: 'user', content: [{ text: 'hi' }] },
    { role: 'assistant', content: [{ text: 'Once upon' }] },
  ]
  const options = { provider: 'bedrock' } as const
  const found = (modelId: string) => lint({ modelId, messages }, options).map(({ rule, severity }) => [rule, severity])
  expect(found('us.anthropic.claude-opus-4-6-v1:0')).toEqual([['last-assistant-prefill', 'error']])
  expect(found('us.anthropic.claude-3-5-haiku-20241022-v1:0')).toEqual([])
})

describe('errors of wrong use have the next step', () => {
  it.each([
    ['no list', () => lint('hello', { provider: 'openai' }), 'not-a-history'],
    ['null', () => repair(null, { provider: 'openai' }), 'not-a-history'],
    ['a body without a history', () => lint({ model: 'x' }, { provider: 'openai' }), 'not-a-history'],
    ['an unknown provider', () => lint([], { provider: 'acme' }), 'unknown-provider'],
    ['no provider', () => lint([], {} as never), 'unknown-provider'],
    ['no options', () => lint([], undefined as never), 'unknown-provider'],
    ['a dialect it does not serve', () => lint([], { provider: 'anthropic', dialect: 'gemini' }), 'unknown-dialect'],
    ['an invalid dialect', () => lint([], { provider: 'strictest', dialect: 'morse' }), 'unknown-dialect'],
    [
      'an invalid policy',
      () => lint([], { provider: 'openai', policy: { orphan: 'burn' as never } }),
      'unknown-policy',
    ],
    ['an invalid provider', () => lint([], { provider: {} as never }), 'unknown-provider'],
    ['a policy of a wrong kind', () => lint([], { provider: 'openai', policy: 'drop' as never }), 'unknown-policy'],
    ['a model of a wrong kind', () => lint([], { provider: 'openai', model: null as never }), 'bad-option'],
    ['one rejected rule for a list', () => lint([], { provider: 'openai', rejectedBy: 'x' as never }), 'bad-option'],
    ['a text for a list', () => lint({ messages: 'hello' }, { provider: 'openai' }), 'not-a-history'],
    ['turns of a body', () => turns({ messages: [] } as never), 'not-a-history'],
    ['rounds of nothing', () => rounds(null as never), 'not-a-history'],
    ['a cut of a body', () => split({ messages: [] } as never, { minKeep: 1 }), 'not-a-history'],
    ['a cut without a size', () => split([], undefined as never), 'bad-option'],
    ['an invalid cause', () => lint([], { provider: 'openai', cause: 'tired' as never }), 'bad-option'],
  ])('%s', (_name, use, code) => {
    expect(use).toThrow(expect.objectContaining({ name: 'SutureError', code }))
  })
})

/** The history with this value in place of the string DEEP. */
function place(history: unknown[], value: unknown): unknown[] {
  const copy = structuredClone(history)
  const spots: [Record<string, unknown>, string][] = []
  const look: unknown[] = [copy]
  while (look.length > 0) {
    const one = look.pop()
    if (typeof one !== 'object' || one === null) continue
    for (const [key, inner] of Object.entries(one)) {
      if (inner === 'DEEP') spots.push([one as Record<string, unknown>, key])
      else look.push(inner)
    }
  }
  for (const [holder, key] of spots) holder[key] = value
  return copy
}

describe('several constraints at once', () => {
  const chat = { provider: 'strictest', dialect: 'openai-chat' } as const

  it.each([
    ['the interface messages of the AI SDK', [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hello' }] }]],
    ['contents of Gemini', [{ role: 'user', parts: [{ text: 'hello' }, { inlineData: { mimeType: 'a/b' } }] }]],
    ['messages of OpenAI', [{ role: 'user', content: 'hello' }]],
    ['blocks of Anthropic', [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]],
  ])('words of another shape stay: %s', (_name, history) => {
    for (const { id } of dialects) {
      const { value: after } = repair(history, { provider: mains[id]!, dialect: id })
      expect(JSON.stringify(after)).toContain('hello')
    }
  })

  it('text next to a value that is not a message stays', () => {
    const { value: history } = repair([null, { role: 'user', content: 'hello' }], chat)
    expect(history).toEqual([{ role: 'user', content: 'hello' }])
  })

  it('a history that begins with calls gets a user turn before them, if none may follow results', () => {
    const call = { id: 'call00001', type: 'function', function: { name: 'look', arguments: '{}' } }
    const { value: history, remaining } = repair(
      [
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call00001', content: 'seen' },
        { role: 'assistant', content: 'There.' },
        { role: 'user', content: 'Thanks.' },
      ],
      chat,
    )
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(history.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it.each(['mistral', 'deepseek', 'moonshot', 'vllm', 'strictest'])(
    'a pair of the legacy functions API stays whole (%s)',
    (provider) => {
      const history = [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"at":"it"}' } },
        { role: 'function', name: 'look', content: 'seen' },
        { role: 'user', content: 'and?' },
      ]
      for (const strict of [false, true]) {
        const options = { provider, dialect: 'openai-chat', strict }
        const { value: after } = repair(history, options)
        expect(lint(after, options).filter(({ severity }) => severity === 'error')).toEqual([])
        expect(JSON.stringify(after)).toMatch(/look.*\{\\"at.*seen.*and\?/)
        expect(JSON.stringify(after)).not.toContain('no longer in this conversation')
      }
    },
  )

  it('a call without an id gets one, also with a legacy function result without an id (Kimi)', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
    const target = { provider: 'moonshot', model: 'moonshot-v1-8k' } as const
    const { value: history } = repair(
      [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '', tool_calls: [call(''), call('b')] },
        { role: 'function', tool_call_id: '', content: 'old' },
        { role: 'tool', tool_call_id: 'a', content: 'seen' },
        { role: 'user', content: 'and?' },
      ],
      target,
    )
    expect(lint(history, target).filter(({ severity }) => severity === 'error')).toEqual([])
    expect(repair(history, target).value).toBe(history)
  })

  it('a result before its call is moved, although its turn has as many results as calls (bedrock)', () => {
    const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look', input: {} } })
    const result = (toolUseId: string) => ({ toolResult: { toolUseId, content: [{ text: toolUseId }] } })
    const { value: history } = repair(
      [
        { role: 'user', content: [{ text: 'go' }] },
        { role: 'assistant', content: [use('a'), use('a')] },
        { role: 'user', content: [result('b'), result('a')] },
        { role: 'assistant', content: [use('b')] },
        { role: 'user', content: [{ text: 'and?' }] },
      ],
      { provider: 'bedrock', model: 'us.anthropic.claude-sonnet-4-6-v1:0' },
    )
    expect(JSON.stringify(history.at(-1))).toContain('"toolUseId":"b"')
  })
})

it('keeps an empty list from a tool whose call was removed', () => {
  const history = [
    { role: 'user', content: 'hello' },
    { role: 'tool', content: [[]] },
  ]
  const { value } = repair<readonly unknown[]>(history, { provider: 'openai', dialect: 'openai-chat' })
  expect(JSON.stringify(value)).toContain('[]')
})

it('repairs several system messages before an assistant that nothing precedes', () => {
  const history = [
    { role: 'system', content: 'be kind' },
    { role: 'system', content: 'be brief' },
    { role: 'assistant', content: 'hello' },
    { role: 'user', content: 'hello' },
  ]
  const options = { provider: 'anthropic', dialect: 'anthropic-messages', model: 'claude-opus-5-5' } as const
  const { value, remaining } = repair<readonly { role: string }[]>(history, options)
  expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(value.map(({ role }) => role)).toEqual(['user', 'system', 'system', 'assistant', 'user'])
})
