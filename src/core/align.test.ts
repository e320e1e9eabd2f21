import { describe, expect, it } from 'vitest'
import { align } from './align.ts'

const a = { n: 1 }
const b = { n: 2 }
const c = { n: 3 }
const json = { keyOf: (value: unknown) => JSON.stringify(value) }
const always = { isMadeFrom: [() => true] }
const shown = (list: readonly { from: number; same: boolean; moved: boolean }[]) =>
  list.map(
    ({ from, same, moved }) =>
      `${from < 0 ? 'new' : from}${same ? '' : from < 0 ? '' : ' changed'}${moved ? ' moved' : ''}`,
  )

describe('align', () => {
  it('unchanged elements are the same references', () => {
    expect(shown(align([a, b, c], [a, b, c]))).toEqual(['0', '1', '2'])
    expect(shown(align([a, b, c], [a, c]))).toEqual(['0', '2'])
    expect(shown(align([a, c], [a, { n: 2 }, c], always))).toEqual(['0', 'new', '1'])
  })
  it('equal keys make copies the same', () => {
    expect(shown(align([a, b], [{ n: 1 }, b]))).toEqual(['new', '1'])
    expect(shown(align([a, b], [{ n: 1 }, b], json))).toEqual(['0', '1'])
  })
  it('repeated elements are matched from both ends', () => {
    expect(shown(align(['x', 'y', 'x'], ['y', 'x']))).toEqual(['1', '2'])
    expect(shown(align(['x', 'x'], ['x']))).toEqual(['0'])
    expect(shown(align(['x'], ['x', 'x']))).toEqual(['0', 'new'])
    expect(shown(align(['x', 'x', 'y'], ['x', 'y', 'x']))).toEqual(['0', '2 moved', '1'])
  })
  it('an element that came from behind others has moved', () => {
    expect(shown(align([a, b, c], [c, a, b]))).toEqual(['2 moved', '0', '1'])
  })
  it('a changed element is the old one between its neighbors, by the surest sign', () => {
    const role = (list: readonly string[], now: readonly string[]) => ({
      isMadeFrom: [(i: number, j: number) => list[i]![0] === now[j]![0], () => true],
    })
    const before = ['u1', 'a1', 't1', 'u2']
    const after = ['u1', 'x', 'a2', 'u2']
    expect(shown(align(before, after, role(before, after)))).toEqual(['0', '2 changed moved', '1 changed', '3'])
    expect(shown(align([a, b, c], [a, { n: 9 }, c], always))).toEqual(['0', '1 changed', '2'])
  })
  it('a change is never looked for beyond an unchanged neighbor', () => {
    expect(shown(align([a, b, c], [{ n: 9 }, a, c], always))).toEqual(['new', '0', '2'])
  })
  it('no old element is named twice, on random lists', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let run = 0; run < 300; run++) {
      const before = Array.from({ length: random(12) }, () => random(5))
      const after = Array.from({ length: random(12) }, () => random(5))
      const found = align(before, after, always)
      const named = found.map(({ from }) => from).filter((from) => from >= 0)
      expect(new Set(named).size).toBe(named.length)
      for (const [i, { from, same }] of found.entries()) if (same) expect(before[from]).toBe(after[i])
      const inPlace = found.filter(({ from, moved }) => from >= 0 && !moved).map(({ from }) => from)
      expect(inPlace).toEqual(inPlace.toSorted((x, y) => x - y))
    }
  })
  it('long lists: all changed, all new, turned around', () => {
    const before = Array.from({ length: 50_000 }, (_, i) => ({ i }))
    const changed = align(
      before,
      before.map((one) => ({ ...one })),
      always,
    )
    expect(changed.every(({ from, same }, i) => from === i && !same)).toBe(true)
    const strange = align(
      before,
      before.map(() => ({})),
      { isMadeFrom: [() => false] },
    )
    expect(strange.every(({ from }) => from < 0)).toBe(true)
    expect(align(before, before.toReversed()).filter(({ moved }) => !moved).length).toBe(1)
  })
})
