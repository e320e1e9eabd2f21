/** Numbers keep their spelling through parsing, copying and writing. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, parseJson, withKey, withValueAt } from './index.ts'

const ODD = ['9007199254740993', '12345678901234567890', '1e400', '-1E+400', '1.0', '-0', '-0.0', '1e21', '0.10', '2E3']

describe('numbers that JSON.stringify writes otherwise', () => {
  it.each(ODD)('%s', (number) => {
    for (const text of [
      `{"a":${number}}`,
      `[${number}]`,
      `[1,${number},2]`,
      `{"a":{"b":[0,${number},"${number}",{"c":${number}}]},"d":"\\\\","e":${number}}`,
    ])
      expect(jsonText(parseJson(text))).toBe(text)
  })

  it('keep their spelling in unchanged values', () => {
    const value = parseJson('{"a":{"n":1.0,"m":2.0},"b":1e400}') as { a: { n: number } }
    expect(jsonText(withValueAt(value, ['a', 'n'], 7))).toBe('{"a":{"n":7,"m":2.0},"b":1e400}')
    expect(jsonText(withKey(value, 'c', [value.a]))).toBe('{"a":{"n":1.0,"m":2.0},"b":1e400,"c":[{"n":1.0,"m":2.0}]}')
    value.a.n = 3
    expect(jsonText(value)).toBe('{"a":{"n":3,"m":2.0},"b":1e400}')
  })

  it('the last of two equal keys counts', () => {
    expect(jsonText(parseJson('{"a":1.0,"a":1}'))).toBe('{"a":1}')
    expect(jsonText(parseJson('{"a":{"x":1.0},"a":{"x":1}}'))).toBe('{"a":{"x":1}}')
    expect(jsonText(parseJson('{"a":[1.0],"a":{"0":1}}'))).toBe('{"a":{"0":1}}')
    expect(jsonText(parseJson('{"a":1,"a":1.0}'))).toBe('{"a":1.0}')
  })

  it('a circle is an error with that of JSON.stringify as its cause; a value of any depth is written', () => {
    const circle = parseJson('{"a":1.0}') as { a: unknown }
    circle.a = [circle, parseJson('{"b":1.0}')]
    const wrong = { name: 'SutureError', code: 'bad-option', cause: expect.any(TypeError) }
    expect(() => jsonText(circle)).toThrow(expect.objectContaining(wrong))
    const deep = `${'['.repeat(100_000)}1.0${']'.repeat(100_000)}`
    const value = parseJson(deep)
    expect(jsonText(value)).toBe(deep)
  })

  it('values that are not JSON are written as by JSON.stringify', () => {
    const odd = parseJson('{"n":1.0}')
    const value = { a: undefined, b: () => {}, c: new Date(0), d: [undefined, Symbol('x')], e: odd }
    expect(jsonText(value)).toBe('{"c":"1970-01-01T00:00:00.000Z","d":[null,null],"e":{"n":1.0}}')
    expect(jsonText(undefined)).toBe(undefined)
  })
})

describe('any text without space, double keys and odd escapes is written as it was read', () => {
  const number = fc.oneof(
    fc.constantFrom(...ODD),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  )
  const key = fc.oneof(
    fc.string().filter((text) => !/^(0|[1-9]\d*)$/.test(text)),
    fc.constantFrom('__proto__', 'toJSON x', '"1.0"', 'constructor'),
  )
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 5 },
      number,
      fc.oneof(fc.string(), fc.constantFrom('1.0', ', 1.0', ':-0,', '\\', '\\"')).map((one) => JSON.stringify(one)),
      fc.constantFrom('true', 'false', 'null'),
      fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
      fc
        .uniqueArray(fc.tuple(key, tie('text')), { maxLength: 4, selector: ([name]) => name })
        .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
    ),
  }))

  it('round trip', () => {
    fc.assert(
      fc.property(text, (one) => {
        const whole = `{"x":${one}}`
        expect(jsonText(parseJson(whole))).toBe(whole)
      }),
      { numRuns: 2_000 },
    )
  })
})
