import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

it('agrees with Node for every length around a block, and for unusual text', () => {
  const texts = ['', 'abc', 'é'.repeat(31), '💥\u0000', 'x'.repeat(100_000)]
  for (let i = 50; i < 140; i++) texts.push('a'.repeat(i))
  for (const text of texts) expect(sha256(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
})
