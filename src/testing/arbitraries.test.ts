import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialects } from '../dialects/index.ts'
import { brokenHistory, validHistory } from './arbitraries.ts'

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('arbitraries of %s', (id, dialect) => {
  it('make histories that their dialect detects', () => {
    let calls = 0
    let unknown = 0
    for (const history of fc.sample(validHistory(id), { numRuns: 300, seed: 1 })) {
      history.forEach((message, index) => {
        const parts: Parameters<typeof dialect.read>[2] = []
        if (dialect.read(message, index, parts) === 'unknown') unknown++
        calls += parts.filter((part) => part.kind === 'call').length
      })
    }
    expect(unknown).toBe(0)
    expect(calls).toBeGreaterThan(300)
  })

  it('make the same history from the same seed', () => {
    const [first] = fc.sample(brokenHistory(id), { numRuns: 50, seed: 7 }).slice(-1)
    const [again] = fc.sample(brokenHistory(id), { numRuns: 50, seed: 7 }).slice(-1)
    expect(again).toEqual(first)
  })
})
