import { describe, expect, test } from 'vitest'
import { apply, type ConstraintTable, causeText, invert, lint, type Part, repair } from '../../core/index.ts'
import { roleOrder } from '../../rules/role-order.ts'
import { textBlank } from '../../rules/text-blank.ts'
import { toolResultDuplicate } from '../../rules/tool-result-duplicate.ts'
import { toolResultMissing } from '../../rules/tool-result-missing.ts'
import { toolResultNotAdjacent } from '../../rules/tool-result-not-adjacent.ts'
import { toolResultOrphan } from '../../rules/tool-result-orphan.ts'
import { bedrockConverse as dialect } from './index.ts'

const constraints: ConstraintTable = {
  'tool-result-missing': { evidence: 'many-reports' },
  'tool-result-orphan': { evidence: 'many-reports' },
  'tool-result-not-adjacent': { evidence: 'many-reports' },
  'tool-result-duplicate': { evidence: 'many-reports' },
  'text-blank': { evidence: 'many-reports' },
  'role-order': { evidence: 'many-reports', merge: ['user', 'assistant'] },
}
const target = {
  service: { dialect, constraints },
  rules: [toolResultMissing, toolResultOrphan, toolResultNotAdjacent, toolResultDuplicate, textBlank, roleOrder],
}
const LOST = causeText('lost')

function read(message: unknown): { role: string; parts: Part[] } {
  const parts: Part[] = []
  return { role: dialect.read(message, 3, parts), parts }
}

function only(block: unknown): Part {
  const { parts } = read({ role: 'assistant', content: [block] })
  expect(parts).toHaveLength(1)
  return parts[0]!
}

/** Repairs deep-frozen input and checks what every repair promises. */
function repaired(history: readonly unknown[]): readonly unknown[] {
  const before = structuredClone(history)
  const { value: after, patch } = repair(freeze(history), target)
  expect(after).not.toBe(history)
  expect(apply(after, invert(JSON.parse(JSON.stringify(patch))))).toEqual(before)
  expect(lint(after, target)).toEqual([])
  expect(repair(after, target).value).toBe(after)
  return after
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner)
  return value
}

describe('reads', () => {
  test.each([
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['system', 'system'],
    ['tool', 'unknown'],
    [undefined, 'unknown'],
  ])('role %s is %s', (role, expected) => {
    expect(read({ role, content: [] }).role).toBe(expected)
  })

  const reasoningText = { text: 'hm', signature: 's' }
  test.each([
    [{ text: 'x' }, { kind: 'text', type: 'text', body: 'x' }],
    [
      { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
      { kind: 'call', type: 'toolUse', id: 'a', name: 'f', body: { x: 1 }, server: false },
    ],
    [{ toolUse: { toolUseId: '', name: '' } }, { kind: 'call', id: undefined, name: undefined }],
    [{ toolUse: { toolUseId: 'a', type: 'server_tool_use' } }, { kind: 'call', id: 'a', server: true }],
    [
      { toolResult: { toolUseId: 'a', content: [{ text: 'x' }], status: 'error' } },
      { kind: 'result', type: 'toolResult', id: 'a', body: [{ text: 'x' }], failed: true, server: false },
    ],
    [{ toolResult: { toolUseId: 'a', status: 'success' } }, { kind: 'result', failed: false }],
    [{ toolResult: { toolUseId: 'a', type: 'nova_code_interpreter_result' } }, { kind: 'result', server: true }],
    [{ toolResult: { toolUseId: 'a', type: 'tool_result' } }, { kind: 'result', server: false }],
    [
      { reasoningContent: { reasoningText } },
      { kind: 'reasoning', type: 'reasoningContent', body: 'hm', signature: 's' },
    ],
    [
      { reasoningContent: { redactedContent: 'zz' } },
      { kind: 'reasoning', type: 'redactedContent', body: undefined, signature: 'zz' },
    ],
    [{ image: {} }, { kind: 'media', type: 'image' }],
    [{ document: {} }, { kind: 'media', type: 'document' }],
    [{ video: {} }, { kind: 'media', type: 'video' }],
    [{ audio: {} }, { kind: 'media', type: 'audio' }],
    [{ cachePoint: { type: 'default' } }, { kind: 'opaque', type: 'cachePoint' }],
    [{ guardContent: {} }, { kind: 'opaque', type: 'guardContent' }],
    [{ citationsContent: {} }, { kind: 'opaque', type: 'citationsContent' }],
    [{ searchResult: {} }, { kind: 'opaque', type: 'searchResult' }],
    [
      { text: null, toolUse: { toolUseId: 'a' } },
      { kind: 'call', id: 'a' },
    ],
    [
      { text: null, image: {} },
      { kind: 'media', type: 'image' },
    ],
    [{}, { kind: 'opaque', type: 'empty' }],
    [null, { kind: 'opaque', type: 'object' }],
  ])('%j', (block, expected) => {
    const one = only(block)
    expect(one).toMatchObject({ ...expected, message: 3, list: ['content'], index: 0 })
    expect(one.value).toBe(block)
  })

  test('a string, which only other dialects allow, still is a text', () => {
    expect(read({ role: 'user', content: 'x' }).parts).toMatchObject([{ kind: 'text', index: -1, body: 'x' }])
  })

  test('odd input never throws', () => {
    let deep: unknown = []
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const items = [
      null,
      undefined,
      7,
      'x',
      [],
      {},
      { role: 5, content: 5 },
      { role: 'user', content: [null, 1, 'x', [], {}, { text: 5 }, { toolUse: 'x' }, { toolResult: [] }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ json: deep }, null, 5] } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 5, content: 'x' } }] },
      { role: 'assistant', content: [{ toolUse: { name: '__proto__', input: deep } }, { reasoningContent: {} }] },
      JSON.parse('{"role":"assistant","content":[{"__proto__":{"toolUse":{"toolUseId":"a"}}}]}'),
    ]
    for (const item of items) {
      for (const part of read(item).parts) expect(typeof dialect.content(part).text).toBe('string')
      expect(() => dialect.cleanUp(item)).not.toThrow()
    }
    expect(() => repair(items, target)).not.toThrow()
  })
})

describe('writes', () => {
  test('answer, hold, say and call', () => {
    expect(dialect.answer(only({ toolUse: { toolUseId: 'a', name: 'f' } }), 'why')).toEqual({
      toolResult: { toolUseId: 'a', content: [{ text: 'why' }], status: 'error' },
    })
    expect(dialect.wrapResults([])).toEqual([])
    expect(dialect.wrapResults([1])).toEqual([{ role: 'user', content: [1] }])
    expect(dialect.textMessage('user', 'hi', [{ image: {} }])).toEqual({
      role: 'user',
      content: [{ text: 'hi' }, { image: {} }],
    })
    expect(dialect.textMessage('assistant', 'hi')).toEqual({ role: 'assistant', content: [{ text: 'hi' }] })
    expect(dialect.call(only({ toolResult: {} }), 'a', 'f')).toEqual({
      role: 'assistant',
      content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }],
    })
  })

  test('the text of a result, and the user content that replaces it', () => {
    const image = { image: { format: 'png' } }
    const found = { searchResult: { title: 't' } }
    const content = [{ text: 'a' }, { json: { b: 1 } }, image, found, { notYetKnown: 1 }]
    expect(dialect.content(only({ toolResult: { content } }))).toEqual({
      text: 'a\n{"b":1}\n{"notYetKnown":1}',
      media: [image, found],
    })
    expect(dialect.content(only({ toolResult: { content: 'odd' } })).text).toBe('odd')
    expect(dialect.content(only(dialect.answer(only({ toolUse: {} }), LOST))).text).toBe(LOST)
  })

  test.each([
    [{ text: 'a' }, { text: 'b' }, { text: 'b' }],
    [{ toolUse: { toolUseId: 'a', name: 'f' } }, { id: 'b' }, { toolUse: { toolUseId: 'b', name: 'f' } }],
    [{ toolUse: { name: 'f' } }, { name: 'g' }, { toolUse: { name: 'g' } }],
    [{ toolUse: { input: 'x' } }, { arguments: {} }, { toolUse: { input: {} } }],
    [{ toolResult: { toolUseId: 'a' } }, { id: 'b' }, { toolResult: { toolUseId: 'b' } }],
    [{ toolResult: { content: [] } }, { result: 'x' }, { toolResult: { content: [{ text: 'x' }] } }],
    [{ toolResult: { content: [] } }, { result: { x: 1 } }, { toolResult: { content: [{ json: { x: 1 } }] } }],
    [{ toolResult: { content: [] } }, { result: [{ text: 'x' }] }, { toolResult: { content: [{ text: 'x' }] } }],
    [
      { reasoningContent: { reasoningText: { text: 'a', signature: 's' } } },
      { text: 'b' },
      { reasoningContent: { reasoningText: { text: 'b', signature: 's' } } },
    ],
  ])('%j with %j', (block, change, after) => {
    const of = only(freeze(block))
    expect(dialect.write(of, of.value, change)).toEqual(after)
  })

  test('a string is written as a string, and becomes a block when messages merge', () => {
    const [text] = read({ role: 'user', content: 'a' }).parts
    expect(dialect.write(text!, text!.value, { text: 'b' })).toBe('b')
    expect(dialect.merge({ role: 'user', content: 'a', x: 1 }, { role: 'user', content: [{ image: {} }] })).toEqual({
      role: 'user',
      content: [{ text: 'a' }, { image: {} }],
      x: 1,
    })
  })

  test('nothing left: no blocks, or only cache points', () => {
    for (const content of [[], '', undefined, [{ cachePoint: { type: 'default' } }]]) {
      expect(dialect.cleanUp({ role: 'user', content })).toBeUndefined()
    }
    const cited = { role: 'assistant', content: [{ citationsContent: {} }] }
    expect(dialect.cleanUp(cited)).toBe(cited)
  })
})

describe('lint and repair', () => {
  const user = { role: 'user', content: [{ text: 'go' }] }
  const use = (id: string) => ({ toolUse: { toolUseId: id, name: 'f', input: {} } })
  const result = (id: string, text = 'ok') => ({ toolResult: { toolUseId: id, content: [{ text }] } })
  const lost = (id: string) => ({ toolResult: { toolUseId: id, content: [{ text: LOST }], status: 'error' } })
  const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
  const results = (...content: unknown[]) => ({ role: 'user', content })

  test('a valid history is unchanged; a tool of the provider needs no answer', () => {
    const history = [
      user,
      assistant({ reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } }, use('a'), use('b')),
      results(result('b'), result('a'), { cachePoint: { type: 'default' } }),
      assistant(
        { toolUse: { toolUseId: 'c', name: 'nova_code_interpreter', input: {}, type: 'server_tool_use' } },
        { toolResult: { toolUseId: 'c', content: [{ json: {} }], type: 'nova_code_interpreter_result' } },
        { text: 'done' },
      ),
      user,
    ]
    expect(lint(history, target)).toEqual([])
    expect(repair(history, target).value).toBe(history)
  })

  test('a result is added to those that are there, in call order, before the text', () => {
    const before = [
      user,
      assistant(use('a'), use('b')),
      results({ text: 'wait' }, result('b')),
      assistant({ text: 'x' }),
    ]
    expect(repaired(before)[2]).toEqual(results(lost('a'), result('b'), { text: 'wait' }))
  })

  test('calls left open before a prompt: results and prompt become one turn', () => {
    expect(repaired([user, assistant(use('a')), user])).toEqual([
      user,
      assistant(use('a')),
      results(lost('a'), { text: 'go' }),
    ])
  })

  test('an orphan becomes a note with its pictures, a blank text goes', () => {
    const image = { image: { format: 'png', source: {} } }
    const orphan = { toolResult: { toolUseId: 'gone', content: [{ json: { real: 1 } }, image] } }
    const after = repaired([user, assistant({ text: ' \n' }, { text: 'ok' }), results(orphan)])
    expect(after[1]).toEqual(assistant({ text: 'ok' }))
    expect(after[2]).toEqual(results({ text: expect.stringContaining('{"real":1}') }, image))
  })

  test('an assistant left with a cache point alone goes, and the prompts around it become one', () => {
    const before = [user, assistant({ text: '' }, { cachePoint: { type: 'default' } }), user]
    expect(repaired(before)).toEqual([results({ text: 'go' }, { text: 'go' })])
  })
})
