import { describe, expect, it } from 'vitest'
import { hash } from './hash.ts'

describe('hash', () => {
  it('gives the same nine letters and digits on every machine', () => {
    expect(hash('functions.bash:0')).toBe('SzcRkmK4w')
    expect(hash('')).toBe('TQyaIqQkI')
  })

  it('tells a hundred thousand like ids apart', () => {
    const names = new Set<string>()
    for (let i = 0; i < 100_000; i++) names.add(hash(`functions.bash:${i}`))
    expect(names.size).toBe(100_000)
    expect([...names].every((name) => /^[a-zA-Z0-9]{9}$/.test(name))).toBe(true)
  })
})
