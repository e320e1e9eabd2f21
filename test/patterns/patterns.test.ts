import { describe, expect, it } from 'vitest'
import { type Sizes, superlinear } from '../growth/measure.ts'
import { attacksOn, textOf } from './attacks.ts'
import { type Found, patternsIn, recorded, sourceFiles } from './collect.ts'

const sizes: Sizes = { smallest: 16, largest: 16_384, judgedFrom: 16_384 }
/** Not built while a module loads, and why. */
const LATER: Readonly<Record<string, string>> = {
  'src/session-files/node/glob.ts': 'globs of formats and callers, for paths, whose length the system bounds',
  'src/tools/schema.ts': "the patterns of a caller's own tool schemas",
  'src/viewer/serve.ts': 'a cookie named after the port, with one repetition',
}

describe('every regular expression in src takes linear time', () => {
  const sources = sourceFiles().map((file) => ({ file, ...patternsIn(file) }))

  it('if it is a literal', () => {
    const literals = sources.flatMap(({ literals }) => literals)
    expect(literals.length).toBeGreaterThan(400)
    expect(literals.flatMap(problemsOf)).toEqual([])
  })

  it('if it is built when a module loads', async () => {
    const files = sources
      .filter(({ built, file }) => built.length > 0 && !Object.hasOwn(LATER, file))
      .map(({ file }) => file)
    const found = await recorded(async () => {
      await import('../../src/providers/index.ts')
      for (const file of files) await import(/* @vite-ignore */ `../../${file}`)
    })
    expect([...new Set(found.map(({ where }) => where))].sort()).toEqual(files)
    expect(found.flatMap(problemsOf)).toEqual([])
  })

  it('and a quadratic pattern would be found', () => {
    for (const pattern of [/(a+)+b/, /claude-(?:[a-z]+-)*4/i, /\\+n/g])
      expect(problemsOf({ where: 'planted', pattern }), String(pattern)).toHaveLength(1)
  })
})

function problemsOf({ where, pattern }: Found): string[] {
  for (const attack of attacksOn(pattern)) {
    const problem = superlinear((size) => {
      const text = textOf(attack, size)
      return () => (pattern.global ? text.replace(pattern, '') : pattern.exec(text))
    }, sizes)
    if (problem !== undefined) return [`${where}: ${pattern} ${problem} of ${JSON.stringify(attack)}`]
  }
  return []
}
