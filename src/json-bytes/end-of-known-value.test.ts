import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../test/long-runs.ts'
import { endOfKnownValue } from './end-of-known-value.ts'
import { valueEnd } from './scan.ts'

const encoder = new TextEncoder()

/** A JSON string as another writer may have it: with needless escapes. */
function spelled(text: string, escaped: readonly boolean[]): string {
  const units = Array.from({ length: text.length }, (_, i) => {
    const unit = text[i]!
    const hex = `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
    return escaped[i % Math.max(escaped.length, 1)] ? hex : JSON.stringify(unit).slice(1, -1)
  })
  return `"${units.join('')}"`
}

function written(value: unknown, escaped: readonly boolean[], space: string): string {
  if (typeof value === 'string') return spelled(value, escaped)
  if (Array.isArray(value))
    return `[${space}${value.map((one) => written(one, escaped, space)).join(`,${space}`)}${space}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${spelled(key, escaped)}${space}:${space}${written(one, escaped, space)}`,
  )
  return `{${members.join(`${space},`)}}`
}

const tree = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n', 'é', '😀', '{', ']', ',') }),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('1', '0', 'role')), tie('tree'), {
      maxKeys: 4,
    }),
  ),
})).tree

describe('the end of a value whose words are known', () => {
  it('is where the search byte by byte finds it, in any spelling', () => {
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.boolean(), { maxLength: 5 }),
        fc.constantFrom('', ' ', '\r\n\t'),
        (value, escaped, space) => {
          const text = written(value, escaped, space)
          const bytes = encoder.encode(`[${text}, "behind"]`)
          expect(endOfKnownValue(bytes, 1, JSON.parse(text))).toBe(valueEnd(bytes, 1))
        },
      ),
      { seed: 20261117, numRuns: runsOf(1000, 3000) },
    )
  })

  it.each([
    ['a key twice, the longer one last', '{"a":"x","a":"yyyyyyyyyyyyyyyyyyyyyyyy","b":"\\""}'],
    ['a key twice, the longer one first', '{"a":"yyyyyyyyyyyyyyyyyyyyyyyyyyyy","a":"y"}'],
    ['a key twice, deeper', '{"b":[{"a":"x","a":"yyyyyyyyyyyyyyyyyyyy"}],"c":["zzzzzzzzzzzz"]}'],
    ['keys in another order than given', '{"b":"bbbbbbbbbbbbbbbbb","1":"x","0":"yyyyyyyyyyyyyyyyyyy"}'],
    ['nothing inside', '{"a":{},"b":[],"c":""}'],
    ['many levels', `${'['.repeat(200)}"x"${']'.repeat(200)}`],
  ])('%s', (_, text) => {
    const bytes = encoder.encode(`[${text},["behind it","and further behind, with some length"]]`)
    expect(endOfKnownValue(bytes, 1, JSON.parse(text))).toBe(1 + text.length)
  })
})
