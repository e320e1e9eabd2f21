import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../test/long-runs.ts'
import { diffList } from './diff.ts'
import { apply, type Edit, invert } from './edit.ts'
import { isSutureError } from './error.ts'

const history = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
  { role: 'user', content: 'c' },
]

describe('apply', () => {
  it('gives the very same value back for an empty patch', () => {
    expect(apply(history, [])).toBe(history)
  })

  it('copies only the way down to what changes', () => {
    const patch: Edit[] = [{ op: 'set', path: [1, 'content', 0], key: 'text', was: 'b', now: 'B' }]
    const changed = apply(history, patch)
    expect(changed[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'B' }] })
    expect(changed[0]).toBe(history[0])
    expect(history[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'b' }] })
  })

  it('takes each edit on what the ones before it left', () => {
    const patch: Edit[] = [
      { op: 'splice', path: [], index: 2, remove: [history[2]], insert: ['x', 'y'] },
      { op: 'splice', path: [], index: 0, remove: [history[0]], insert: [] },
    ]
    expect(apply(history, patch)).toEqual([history[1], 'x', 'y'])
    expect(apply(apply(history, patch), invert(patch))).toEqual(history)
  })

  it('tells an absent key from one that is set', () => {
    const patch: Edit[] = [{ op: 'set', path: [0], key: 'name', now: 'n' }]
    expect(apply(history, patch)[0]).toEqual({ role: 'user', content: 'a', name: 'n' })
    expect(apply(apply(history, patch), invert(patch))).toEqual(history)
  })

  it('writes __proto__ as a key like any other', () => {
    const patch: Edit[] = [{ op: 'set', path: [0], key: '__proto__', now: { polluted: true } }]
    const changed = apply(history, patch)[0] as object
    expect(Object.hasOwn(changed, '__proto__')).toBe(true)
    expect((changed as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each<[string, Edit]>([
    ['another value', { op: 'set', path: [0], key: 'content', was: 'z', now: 'y' }],
    ['a key that is there', { op: 'set', path: [0], key: 'content', now: 'y' }],
    ['another element', { op: 'splice', path: [], index: 0, remove: ['z'], insert: [] }],
    ['a place after the end', { op: 'splice', path: [], index: 9, remove: [], insert: ['z'] }],
    ['an invalid list', { op: 'splice', path: [0, 'content'], index: 0, remove: [], insert: ['z'] }],
    ['a place before the first', { op: 'splice', path: [], index: -1, remove: [], insert: ['z'] }],
    ['a place between two', { op: 'splice', path: [], index: 0.5, remove: [], insert: ['z'] }],
    ['a message that is not there', { op: 'set', path: [7], key: 'x', now: 1 }],
  ])('rejects a patch made for another history: %s', (_name, edit) => {
    expect(() => apply(history, [edit])).toThrow(expect.objectContaining({ code: 'stale-patch' }))
    try {
      apply(history, [edit])
    } catch (error) {
      expect(isSutureError(error, 'stale-patch')).toBe(true)
    }
  })
})

describe('diff', () => {
  it('leads from one list to the other and back, and survives JSON', () => {
    const list = fc
      .array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 })
      .map((values) => JSON.parse(JSON.stringify(values)) as unknown[])
    fc.assert(
      fc.property(list, list, fc.nat(6), (was, now, shared) => {
        const next = [...was.slice(0, shared), ...now]
        const edits: Edit[] = []
        diffList([], was, next, edits)
        const patch = JSON.parse(JSON.stringify(edits))
        expect(apply(was, patch)).toEqual(next)
        expect(apply(next, invert(patch))).toEqual(was)
      }),
      { seed: 1, numRuns: runsOf(800, 2000) },
    )
  })
})
