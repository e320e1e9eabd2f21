import { describe, expect, it } from 'vitest'
import { parsedSize, valuesIn } from './body-values.ts'

const sized = (text: string) => parsedSize(text, valuesIn(text) ?? Number.POSITIVE_INFINITY) / text.length
const many = (one: (i: number) => string) => Array.from({ length: 50_000 }, (_, i) => one(i)).join(',')

describe('the memory that a parsed body is counted with, for each of its bytes', () => {
  it('keys count like values', () => {
    expect(sized(`{${many((i) => `"key${i}":0`)}}`)).toBeGreaterThan(20)
  })

  it('JSON in a string counts, since arguments are parsed', () => {
    expect(sized(`{"arguments":"[${many(() => '1')}]"}`)).toBeGreaterThan(40)
    expect(sized(`{"arguments":"a text, ${many(() => '1')}"}`)).toBeLessThan(5)
  })

  it('text counts four times: in the body and in its strings', () => {
    expect(sized(`{"content":"${'a'.repeat(1e6)}"}`)).toBeCloseTo(4, 1)
  })

  it('the end of a string is found after escaped quotes', () => {
    expect(valuesIn(`["${'\\"'.repeat(20_000)}",1,2${' '.repeat(20_000)}]`)).toBe(4)
  })
})
