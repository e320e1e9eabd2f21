import { describe, expect, test } from 'vitest'
import { apply, type ConstraintTable, causeText, invert, lint, type Part, repair } from '../../core/index.ts'
import { roleOrder } from '../../rules/role-order.ts'
import { textBlank } from '../../rules/text-blank.ts'
import { toolResultDuplicate } from '../../rules/tool-result-duplicate.ts'
import { toolResultMissing } from '../../rules/tool-result-missing.ts'
import { toolResultNotAdjacent } from '../../rules/tool-result-not-adjacent.ts'
import { toolResultOrphan } from '../../rules/tool-result-orphan.ts'
import { gemini as dialect } from './index.ts'

const constraints: ConstraintTable = {
  'tool-result-missing': { evidence: 'many-reports' },
  'tool-result-orphan': { evidence: 'many-reports' },
  'tool-result-not-adjacent': { evidence: 'many-reports' },
  'tool-result-duplicate': { evidence: 'many-reports' },
  'text-blank': { evidence: 'many-reports', empty: true },
  'role-order': { evidence: 'few-reports', merge: ['assistant'] },
}
const target = {
  service: { dialect, constraints },
  rules: [toolResultMissing, toolResultOrphan, toolResultNotAdjacent, toolResultDuplicate, textBlank, roleOrder],
}
const LOST = causeText('lost')

function read(content: unknown): { role: string; parts: Part[] } {
  const parts: Part[] = []
  return { role: dialect.read(content, 3, parts), parts }
}

function only(value: unknown): Part {
  const { parts } = read({ role: 'model', parts: [value] })
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
  const response = { functionResponse: { name: 'f', response: {} } }
  test.each([
    ['user', [], 'user'],
    [undefined, [{ text: 'x' }], 'user'],
    ['model', [], 'assistant'],
    ['function', [response], 'tool'],
    ['function', [response, { text: 'x' }], 'user'],
    ['tool', [response], 'tool'],
    ['user', [response], 'user'],
    ['assistant', [], 'unknown'],
  ])('role %s with %j is %s', (role, parts, expected) => {
    expect(read({ role, parts }).role).toBe(expected)
  })

  test.each([
    [{ text: 'x' }, { kind: 'text', type: 'text', body: 'x', signature: undefined }],
    [
      { text: '', thoughtSignature: 's' },
      { kind: 'text', body: '', signature: 's' },
    ],
    [
      { text: 'x', thought: true, thought_signature: 's' },
      { kind: 'reasoning', type: 'thought', body: 'x', signature: 's' },
    ],
    [
      { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, thoughtSignature: 's' },
      { kind: 'call', type: 'functionCall', id: 'a', name: 'f', body: { x: 1 }, signature: 's' },
    ],
    [
      { thoughtSignature: 's', function_call: { name: 'f' } },
      { kind: 'call', type: 'function_call', id: undefined, name: 'f', body: undefined, signature: 's' },
    ],
    [{ functionCall: { id: '', name: '' } }, { kind: 'call', id: undefined, name: undefined }],
    [
      { functionResponse: { id: 'a', name: 'f', response: { output: 'x' } } },
      { kind: 'result', type: 'functionResponse', id: 'a', name: 'f', body: { output: 'x' }, failed: false },
    ],
    [
      { function_response: { name: 'f', response: { error: 'x' } } },
      { kind: 'result', type: 'function_response', id: undefined, name: 'f', failed: true },
    ],
    [{ inlineData: { mimeType: 'image/png', data: '' } }, { kind: 'media', type: 'inlineData' }],
    [
      { video_metadata: {}, file_data: { file_uri: 'u' } },
      { kind: 'media', type: 'file_data' },
    ],
    [
      { executableCode: { code: 'x' }, thoughtSignature: 's' },
      { kind: 'opaque', type: 'executableCode', signature: 's' },
    ],
    [{ codeExecutionResult: { outcome: 'OK' } }, { kind: 'opaque', type: 'codeExecutionResult' }],
    [{ toolCall: { id: 'a' } }, { kind: 'opaque', type: 'toolCall', id: undefined, server: false }],
    [
      { text: null, functionCall: { name: 'f' } },
      { kind: 'call', name: 'f' },
    ],
    [
      { functionCall: null, notYetKnown: 1 },
      { kind: 'opaque', type: 'notYetKnown' },
    ],
    [{ thoughtSignature: 's' }, { kind: 'opaque', type: 'empty', signature: 's' }],
    [{ thought: true }, { kind: 'opaque', type: 'empty' }],
    [null, { kind: 'opaque', type: 'object' }],
  ])('%j', (value, expected) => {
    const one = only(value)
    expect(one).toMatchObject({ ...expected, message: 3, list: ['parts'], index: 0 })
    expect(one.value).toBe(value)
  })

  test('a single part counts as a list of one', () => {
    expect(read({ parts: { text: 'x' } }).parts).toMatchObject([{ kind: 'text', list: ['parts'], index: -1 }])
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
      { role: 5, parts: 'x' },
      { role: 'user', parts: [null, 1, 'x', [], {}, { text: 5 }, { functionCall: 'x' }, { functionResponse: [] }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: deep } }] },
      { role: 'user', parts: [{ functionResponse: { parts: 'x', response: null } }] },
      { role: 'model', parts: [{ functionCall: { name: '__proto__', args: deep } }] },
      { role: 'user', parts: { functionResponse: { name: 'g' } } },
      JSON.parse('{"role":"model","parts":[{"__proto__":{"text":"x"}}]}'),
    ]
    for (const item of items) {
      for (const part of read(item).parts) expect(typeof dialect.content(part).text).toBe('string')
      expect(() => dialect.cleanUp(item)).not.toThrow()
    }
    expect(() => repair(items, target)).not.toThrow()
  })
})

describe('writes', () => {
  test('an answer has the name, the id if there was one, and the case of its call', () => {
    expect(dialect.answer(only({ functionCall: { id: 'a', name: 'f' } }), 'why')).toEqual({
      functionResponse: { id: 'a', name: 'f', response: { error: 'why' } },
    })
    expect(dialect.answer(only({ function_call: { name: 'f' } }), 'why')).toEqual({
      function_response: { name: 'f', response: { error: 'why' } },
    })
    expect(dialect.content(only(dialect.answer(only({ functionCall: { name: 'f' } }), LOST))).text).toBe(LOST)
  })

  test('hold, say and call', () => {
    expect(dialect.wrapResults([])).toEqual([])
    expect(dialect.wrapResults([1])).toEqual([{ role: 'user', parts: [1] }])
    const image = { inlineData: {} }
    expect(dialect.textMessage('user', 'hi', [image])).toEqual({ role: 'user', parts: [{ text: 'hi' }, image] })
    expect(dialect.textMessage('assistant', 'hi')).toEqual({ role: 'model', parts: [{ text: 'hi' }] })
    expect(dialect.call(only({ functionResponse: {} }), 'a', 'f')).toEqual({
      role: 'model',
      parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }],
    })
    expect(dialect.call(only({ function_response: {} }), 'a', 'f')).toHaveProperty('parts.0.function_call')
  })

  test.each([
    [{ output: 'x' }, 'x'],
    [{ result: 'x' }, 'x'],
    [{ error: 'x' }, 'x'],
    [{ content: 'x' }, 'x'],
    [{ return_value: 'x' }, '{"return_value":"x"}'],
    [{ output: 'x', code: 1 }, '{"output":"x","code":1}'],
    [{ output: [1] }, '{"output":[1]}'],
    ['x', 'x'],
    [undefined, ''],
  ])('response %j says %s', (response, text) => {
    expect(dialect.content(only({ functionResponse: { name: 'f', response } }))).toEqual({ text, media: [] })
  })

  test("media of a response as the user's parts", () => {
    const image = { inline_data: { mime_type: 'image/png', data: '' } }
    const result = only({ functionResponse: { response: { output: 'x' }, parts: [image] } })
    expect(dialect.content(result).media[0]).toBe(image)
  })

  test.each([
    [{ text: 'a', thoughtSignature: 's' }, { text: 'b' }, { text: 'b', thoughtSignature: 's' }],
    [{ functionCall: { name: 'f' } }, { id: 'b' }, { functionCall: { name: 'f', id: 'b' } }],
    [
      { function_call: { name: 'f' }, thought_signature: 's' },
      { name: 'g' },
      { function_call: { name: 'g' }, thought_signature: 's' },
    ],
    [{ functionCall: { name: 'f', args: 'x' } }, { arguments: {} }, { functionCall: { name: 'f', args: {} } }],
    [{ function_response: { id: 'a' } }, { id: 'b' }, { function_response: { id: 'b' } }],
    [
      { functionResponse: { name: 'f' } },
      { result: { x: 1 } },
      { functionResponse: { name: 'f', response: { x: 1 } } },
    ],
    [
      { functionResponse: { name: 'f' } },
      { result: 'x' },
      { functionResponse: { name: 'f', response: { output: 'x' } } },
    ],
    [
      { functionResponse: { response: { error: 1 } } },
      { result: 'x' },
      { functionResponse: { response: { error: 'x' } } },
    ],
  ])('%j with %j', (value, change, after) => {
    const of = only(freeze(value))
    expect(dialect.write(of, of.value, change)).toEqual(after)
  })

  test('merges parts, also single ones', () => {
    expect(
      dialect.merge({ role: 'user', parts: [{ text: 'a' }], x: 1 }, { role: 'user', parts: { text: 'b' } }),
    ).toEqual({
      role: 'user',
      parts: [{ text: 'a' }, { text: 'b' }],
      x: 1,
    })
    expect(dialect.merge({ role: 'user' }, { parts: [{ text: 'b' }] })).toEqual({
      role: 'user',
      parts: [{ text: 'b' }],
    })
  })

  test('nothing left: no parts, or only an empty text; a signature is something', () => {
    for (const parts of [[], '', undefined, [{ text: '' }], { text: '' }]) {
      expect(dialect.cleanUp({ role: 'model', parts })).toBeUndefined()
    }
    const signed = { role: 'model', parts: [{ text: '', thoughtSignature: 's' }] }
    expect(dialect.cleanUp(signed)).toBe(signed)
  })
})

describe('lint and repair', () => {
  const user = { role: 'user', parts: [{ text: 'go' }] }
  const call = (name: string, id?: string) => ({
    functionCall: id === undefined ? { name, args: {} } : { id, name, args: {} },
  })
  const response = (name: string, output: string, id?: string) => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
  })
  const model = (...parts: unknown[]) => ({ role: 'model', parts })
  const results = (...parts: unknown[]) => ({ role: 'user', parts })
  const lost = (name: string) => ({ functionResponse: { name, response: { error: LOST } } })

  test('a valid history without ids is unchanged, in both spellings', () => {
    const history = [
      user,
      model({ text: 'thinking', thought: true }, call('f'), call('f'), call('g')),
      results(response('f', '1'), response('f', '2'), response('g', '3'), { text: 'and now?' }),
      model({ function_call: { name: 'h' } }),
      { role: 'function', parts: [{ function_response: { name: 'h', response: {} } }] },
      model({ executableCode: {} }, { codeExecutionResult: {} }, { text: 'done' }),
      user,
    ]
    expect(lint(history, target)).toEqual([])
    expect(repair(history, target).value).toBe(history)
  })

  test('the one of three that was not answered is found by its name', () => {
    const before = [user, model(call('f'), call('g'), call('h')), results(response('h', '3'), response('f', '1'))]
    expect(repaired(before)[2]).toEqual(results(response('f', '1'), lost('g'), response('h', '3')))
  })

  test('calls left open get a content of their own, in the case of the call', () => {
    const before = [user, model({ function_call: { name: 'f', id: 'a' } }, call('g')), user]
    expect(repaired(before)).toEqual([
      user,
      before[1],
      results({ function_response: { id: 'a', name: 'f', response: { error: LOST } } }, lost('g')),
      user,
    ])
  })

  test('a response after the next prompt moves to its call', () => {
    const before = [user, model(call('f', 'a')), user, results(response('f', 'late', 'a'))]
    expect(repaired(before)).toEqual([user, model(call('f', 'a')), results(response('f', 'late', 'a')), user])
  })

  test('an orphan becomes a note with its pictures', () => {
    const image = { inlineData: { mimeType: 'image/png', data: '' } }
    const orphan = { functionResponse: { name: 'f', response: { output: 'real' }, parts: [image] } }
    const [, note] = repaired([user, results(orphan), model({ text: 'ok' }), user])
    expect(note).toEqual({ role: 'user', parts: [{ text: expect.stringMatching(/tool f .*\nreal$/s) }, image] })
  })

  test('a model turn of blank text is removed, and its neighbors are merged or separated', () => {
    const before = [user, model({ text: 'a' }), model({ text: '' }), model({ text: 'b' }), user]
    expect(repaired(before)).toEqual([user, model({ text: 'a' }, { text: 'b' }), user])
  })

  test('a single response without a call is kept next to one with a call', () => {
    const before = [user, model(call('f')), { role: 'user', parts: response('g', 'real') }, user]
    expect(JSON.stringify(repaired(before))).toContain('real')
  })
})
