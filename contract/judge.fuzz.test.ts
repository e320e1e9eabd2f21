import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../test/long-runs.ts'
import { type Endpoint, judge } from './judge.ts'
import { tables } from './testing/cases/index.ts'

const PROVIDERS = [...new Set(Object.values(tables).map(({ to }) => to.provider)), 'unlisted']
const ENDPOINTS: readonly (Endpoint | undefined)[] = [undefined, 'messages', 'chat', 'responses', 'gemini', 'converse']
const endpoints = PROVIDERS.flatMap((provider) =>
  ENDPOINTS.map((endpoint) => (endpoint ? { provider, endpoint } : { provider })),
)

/** Every endpoint accepts a body or rejects it with a rule, a text and a body. */
function allSeats(body: unknown): void {
  for (const endpoint of endpoints) {
    const verdict = judge({ ...endpoint, body, stream: true })
    if (verdict.accepted) continue
    expect(verdict.rule).toMatch(/^[a-z-]+$/)
    expect(verdict.message.length).toBeGreaterThan(0)
    expect(verdict.body).toBeDefined()
  }
}

/** Values of other types than the dialects expect. */
const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', ' ', '__proto__', 'constructor', '\ud83d', [], {}),
)
const KEYS = [
  'role',
  'type',
  'content',
  'parts',
  'id',
  'call_id',
  'tool_calls',
  'tool_call_id',
  'tool_use_id',
  'function',
]
const WORDS = [
  'user',
  'assistant',
  'model',
  'tool',
  'text',
  'tool_use',
  'tool_result',
  'thinking',
  'function_call',
  'reasoning',
]
const near = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.constantFrom(...WORDS), tie('object'), tie('list')),
  object: fc.dictionary(
    fc.constantFrom(
      ...KEYS,
      'functionCall',
      'functionResponse',
      'toolUse',
      'toolResult',
      'cache_control',
      'input',
      'signature',
      '__proto__',
    ),
    tie('value'),
    { maxKeys: 6 },
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
}))
const body = fc.dictionary(
  fc.constantFrom('messages', 'input', 'contents', 'tools', 'system', 'thinking', 'toolConfig', 'model', 'store'),
  fc.oneof(near.list, near.value),
)

describe('judge never throws', () => {
  it('on any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), allSeats), { seed: 3, numRuns: runsOf(30, 100) })
  })

  it('on nearly valid requests', () => {
    fc.assert(fc.property(body, allSeats), { seed: 3, numRuns: runsOf(120, 400) })
  })

  it.each([
    undefined,
    null,
    7,
    'hi',
    [],
    [null],
    { messages: null },
    { messages: [null, [], 'x'] },
    { input: [null] },
    { contents: [null] },
  ])('on %j', allSeats)

  it('on nesting deeper than the stack', () => {
    let deep: unknown = 'end'
    for (let i = 0; i < 200_000; i++) deep = i % 2 ? [deep] : { content: deep }
    allSeats({ messages: [{ role: 'user', content: deep }], input: deep, contents: deep })
  })

  it('on own keys that name a prototype', () => {
    allSeats(
      JSON.parse('{"__proto__":{"messages":[]},"messages":[{"__proto__":1,"role":"constructor","content":"x"}]}'),
    )
  })
})

describe('judge is linear', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id })
  const bodies: readonly (readonly [Endpoint, string, (ids: readonly string[]) => unknown])[] = [
    [
      'chat',
      'rounds',
      (ids) => ({ messages: ids.flatMap((id) => [assistant([call(id)]), { role: 'tool', tool_call_id: id }]) }),
    ],
    ['chat', 'calls in one message', (ids) => ({ messages: [assistant(ids.map(call))] })],
    [
      'messages',
      'rounds',
      (ids) => ({ messages: ids.flatMap((id) => [turn('assistant', [use(id)]), turn('user', [result(id)])]) }),
    ],
    ['messages', 'calls', (ids) => ({ messages: [turn('assistant', ids.map(use)), turn('user', ids.map(result))] })],
    ['responses', 'calls', (ids) => ({ input: ids.map((id) => ({ type: 'function_call', call_id: id })) })],
    ['responses', 'reasoning items', (ids) => ({ input: ids.map((id) => ({ type: 'reasoning', id: `rs_${id}` })) })],
    [
      'gemini',
      'rounds',
      (ids) => ({ contents: ids.flatMap(() => [part('model', 'functionCall'), part('user', 'functionResponse')]) }),
    ],
    [
      'converse',
      'rounds',
      (ids) => ({ messages: ids.flatMap((id) => [block('toolUse', id), block('toolResult', id)]) }),
    ],
  ]
  it.each(bodies)('%s: %s, read twice as often when there are twice as many', (endpoint, _, bodyOf) => {
    const reads = (count: number) => {
      const counter = { reads: 0 }
      const body = counted(bodyOf(Array.from({ length: count }, (_, i) => `c${i}`)), counter)
      for (const provider of PROVIDERS) judge({ provider, endpoint, body })
      return counter.reads
    }
    const few = reads(200)
    expect(few).toBeGreaterThan(0)
    expect(reads(400)).toBeLessThan(few * 2.2)
  })

  it.each(bodies)('%s: 5,000 %s end in time', (endpoint, _, bodyOf) => {
    const body = bodyOf(Array.from({ length: 5_000 }, (_, i) => `c${i}`))
    for (const provider of PROVIDERS) judge({ provider, endpoint, body })
  })
})

/** The same value, counting how often its members are read. */
function counted(value: unknown, counter: { reads: number }): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key, self) {
      counter.reads++
      return counted(Reflect.get(target, key, self), counter)
    },
  })
}

function assistant(tool_calls: readonly unknown[]): unknown {
  return { role: 'assistant', content: '', tool_calls }
}

function turn(role: string, content: readonly unknown[]): unknown {
  return { role, content }
}

function part(role: string, kind: string): unknown {
  return { role, parts: [{ [kind]: { name: 'f' } }] }
}

function block(kind: 'toolUse' | 'toolResult', toolUseId: string): unknown {
  return { role: kind === 'toolUse' ? 'assistant' : 'user', content: [{ [kind]: { toolUseId, name: 'f' } }] }
}
