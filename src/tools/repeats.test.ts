/** Bindu's doom-loop suite: what counts as the same call, and as one in a row. */
import { expect, it } from 'vitest'
import { Repeats } from './repeats.ts'

function counts(...calls: readonly (readonly [string, unknown])[]): readonly number[] {
  const repeats = new Repeats()
  return calls.map(([name, input]) => repeats.count(name, input))
}

it('doom-loop: the first, the second and the third of one call', () => {
  expect(counts(['a', { x: 1 }], ['a', { x: 1 }], ['a', { x: 1 }])).toEqual([1, 2, 3])
})

it('doom-loop: keys in another order are the same, at any depth; lists in another order are not', () => {
  expect(counts(['a', { x: { p: 1, q: 2 }, y: 1 }], ['a', { y: 1, x: { q: 2, p: 1 } }])).toEqual([1, 2])
  expect(counts(['a', { x: [1, 2] }], ['a', { x: [2, 1] }])).toEqual([1, 1])
})

it('doom-loop: another tool, another input, or nothing instead of null is another call', () => {
  expect(counts(['a', {}], ['b', {}], ['b', { x: 1 }], ['b', { x: 2 }])).toEqual([1, 1, 1, 1])
  expect(counts(['a', { x: null }], ['a', {}], ['a', { x: undefined }])).toEqual([1, 1, 2])
})

it('doom-loop: only the immediate tail counts', () => {
  expect(counts(['a', {}], ['a', {}], ['b', {}], ['a', {}])).toEqual([1, 2, 1, 1])
})
