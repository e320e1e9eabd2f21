/**
 * Cases of earlier agents about native shapes: empty lists of calls, calls in the wrong message, media in results.
 * Ids in brackets number the cases of earlier agents' test suites, so that none gets lost; each title describes its
 * case.
 */
import { describe, expect, it } from 'vitest'
import { isSynthetic, lint, repair } from '../../src/index.ts'

const openai = { provider: 'openai' } as const
const anthropic = { provider: 'anthropic', model: 'claude-sonnet-4-5' } as const
const user = (content: unknown) => ({ role: 'user', content })
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 't', input: {} })),
})
const image = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'R0lGODlhAQABAIAAAAAAAP' } }
const result = (id: string, ...media: unknown[]) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text: `out ${id}` }, ...media],
})

describe('lists of calls', () => {
  it('an empty list is removed, because OpenAI rejects it [OT5]', () => {
    const history = [user('U'), { role: 'assistant', content: 'A', tool_calls: [] }, user('U')]
    expect(repair(history, openai).value).toEqual([user('U'), { role: 'assistant', content: 'A' }, user('U')])
  })

  it('null is unchanged [OT6]', () => {
    const history = [user('U'), { role: 'assistant', content: 'A', tool_calls: null }, user('U')]
    expect(repair(history, openai).value).toBe(history)
  })
})

describe('calls and results in one message', () => {
  it("a call of the user becomes the assistant's, with its result after it [LT1]", () => {
    const history = [
      user('U'),
      user([...calls('c').content, result('c')]),
      { role: 'assistant', content: 'A' },
      user('U'),
    ]
    const { value: repaired } = repair(history, anthropic)
    expect(repaired.slice(1, 3)).toEqual([calls('c'), user([result('c')])])
    expect(lint(repaired, anthropic)).toEqual([])
  })
})

describe('media', () => {
  it.each([
    ['one stays in its result [LT10]', [user('U'), calls('a'), user([result('a', image)]), user('V')], 0],
    ['two stay, in order [LT11]', [user('U'), calls('a'), user([result('a', image, { ...image })]), user('V')], 0],
    ['it travels with a result that moves [LT12]', [user('U'), calls('a'), user('V'), user([result('a', image)])], 1],
    [
      'one result of two has it, once [LT13]',
      [user('U'), calls('a', 'b'), user([result('b'), result('a', image)]), user('V')],
      0,
    ],
  ])('%s', (_name, history, edits) => {
    const { value: repaired, findings } = repair(history, anthropic)
    expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(edits)
    const count = (value: unknown) => JSON.stringify(value).split('"image"').length
    expect(count(repaired)).toBe(count(history))
    const parts = (repaired as { content: unknown }[]).flatMap(({ content }) => (Array.isArray(content) ? content : []))
    expect(parts.filter((part) => part.type === 'tool_result')).toEqual(
      expect.arrayContaining([result('a', image)].slice(0, edits)),
    )
  })
})

describe('whole conversations', () => {
  it('one call without a result is one finding, and repaired once [LT14]', () => {
    const history = [user('U'), calls('o'), user('V')]
    expect(lint(history, anthropic).map(({ rule }) => rule)).toEqual(['tool-result-missing'])
    expect(repair(history, anthropic).value).toHaveLength(4)
  })

  it('nothing synthetic is added to a complete conversation [LT15]', () => {
    const history = [user('U'), calls('a'), user([result('a')]), { role: 'assistant', content: 'A' }, user('V')]
    expect(repair(history, anthropic).value).toBe(history)
    expect(isSynthetic('out a')).toBe(false)
  })
})
