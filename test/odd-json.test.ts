/** Odd JSON in the functions of the library: a finding or a clear error. */
import { describe, expect, it } from 'vitest'
import { compact } from '../src/compact.ts'
import { isSutureError, jsonText } from '../src/core/index.ts'
import { explain } from '../src/guard/rejections/explain.ts'
import { apply, invert, lint, repair, split } from '../src/index.ts'
import { memoryStore, openSession } from '../src/session.ts'
import { formats } from '../src/session-files/formats.ts'
import { checkSessionFile, openSessionFile, planRepair, recognize } from '../src/session-files/index.ts'
import { cases } from './session-files/format-cases.ts'

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const ODD: readonly (readonly [string, unknown])[] = [
  ['toString', { toString: 1 }],
  ['valueOf', { valueOf: 1, toString: [] }],
  ['__proto__', JSON.parse('{"__proto__":{"type":"text"}}')],
  ['constructor', { constructor: 1 }],
  ['toJSON', { toJSON: 1 }],
  ['10,000 levels', nested(10_000)],
]
const DIALECTS = [
  'openai-chat',
  'anthropic-messages',
  'gemini',
  'openai-responses',
  'bedrock-converse',
  'ai-sdk',
  'langchain',
]

function orClear(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!isSutureError(error)) throw error
  }
}

describe.each(ODD)('%s', (_name, value) => {
  const histories: readonly unknown[][] = [
    [{ role: value, content: 'a' }],
    [{ role: 'user', content: value }],
    [{ role: 'assistant', parts: [{ type: value }] }],
    [{ role: 'assistant', content: [{ type: value, id: value }] }],
    [{ type: value, content: [value] }],
    [{ role: 'assistant', tool_calls: [{ id: value, type: value, function: { name: value, arguments: value } }] }],
    [value],
  ]

  it.each(DIALECTS)('%s', (dialect) => {
    for (const history of histories) {
      const options = { provider: 'strictest', dialect } as never
      orClear(() => lint(history, options))
      orClear(() => {
        const { value: after, patch } = repair(history, options)
        expect(apply(after, invert(patch))).toEqual(history)
      })
      orClear(() => split(history, { dialect, minKeep: 1 } as never))
      orClear(() => compact(history, { provider: 'openai', dialect, force: true, budget: { limit: 20 } } as never))
    }
  })

  it('in an error body', () => {
    for (const error of [
      { error: { message: value, type: value } },
      { detail: [{ loc: [value], msg: 'a' }] },
      [value],
      value,
    ])
      orClear(() => explain(error))
    expect(explain(jsonText({ error: value })).summary).not.toBe('')
  })

  it('in a patch', () => {
    for (const patch of [
      [value],
      [{ op: 'set', path: [value], key: 'a' }],
      [{ op: 'splice', path: [], index: value, remove: [], insert: [] }],
      [{ op: 'set', path: value, key: value }],
    ]) {
      orClear(() => apply([{ a: 1 }], patch as never))
      orClear(() => invert(patch as never))
    }
  })

  it('in a session', async () => {
    const session = await openSession(memoryStore(), 's', { provider: 'openai' })
    for (const history of histories)
      await session.append(history as never).catch((error) => expect(isSutureError(error)).toBe(true))
    await session.history()
  })

  it.each(formats.map(({ id }) => id))('in a file of %s', (format) => {
    const { valid } = cases.find((one) => one.format.id === format) ?? {}
    const text = valid && !valid.tables && !valid.siblings ? Buffer.from(valid.bytes).toString() : '{"messages":[]}'
    for (const key of ['type', 'role', 'content', 'id', 'message', 'messages', 'uuid']) {
      const bytes = Buffer.from(
        text.replaceAll(new RegExp(`"${key}":\\s*("[^"]*"|\\{\\}|\\[\\])`, 'g'), () => `"${key}":${jsonText(value)}`),
      )
      recognize({ bytes })
      const file = openSessionFile({ bytes }, { format })
      checkSessionFile(file)
      planRepair(file, { force: true, lossy: true })
    }
  })
})

it.each(['a\0b', 'x'.repeat(9000), ''])('a session id that no store can index is an error', async (id) => {
  await expect(openSession(memoryStore(), id, { provider: 'openai' })).rejects.toThrow(/at most 300 characters/)
  const session = await openSession(memoryStore(), 's', { provider: 'openai' })
  await expect(session.append([{ role: 'user', content: 'a' }], { operationId: id })).rejects.toThrow(
    /at most 300 characters/,
  )
})

it('a value nested deeper than the stack is written as JSON, with its numbers as they were', () => {
  const text = `${'['.repeat(50_000)}{"a":"b"}${']'.repeat(50_000)}`
  expect(jsonText(JSON.parse(text))).toBe(text)
})
