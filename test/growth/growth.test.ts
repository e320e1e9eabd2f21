/**
 * Twice the history, twice the work: every entry point on every unusual shape in every dialect. Checks growth only, at
 * sizes where it can be measured; `npm run check:long` measures larger ones.
 */

import { describe, expect, it } from 'vitest'
import { explain } from '../../src/guard/index.ts'
import { dialectIds } from '../../src/testing/index.ts'
import { LONG } from '../long-runs.ts'
import { compact, lint, repair, rounds, split, turns } from '../untyped-api.ts'
import { type Sizes, superlinear } from './measure.ts'
import { histories, marked, shapes } from './shapes.ts'

const SIZE = LONG ? 8192 : 1024
const sizes: Sizes = { smallest: SIZE, largest: SIZE, judgedFrom: SIZE }

type History = readonly unknown[]
type Function = (history: History, dialect: string) => unknown

const providers: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  'anthropic-messages': 'anthropic',
  'bedrock-converse': 'bedrock',
}
const compactBy = (history: History, dialect: string, ladder: readonly ('shrink' | 'clear' | 'reasoning' | 'drop')[]) =>
  compact(history, {
    provider: providers[dialect] ?? dialect,
    dialect,
    force: true,
    budget: { limit: 500 },
    strategies: { ladder, shrink: { overTokens: 20, toTokens: 10 }, clear: { keepTokens: 10, minReclaimTokens: 1 } },
  })

const functions: Readonly<Record<string, Function>> = {
  lint: (history, dialect) => lint(history, { provider: 'strictest', dialect }),
  repair: (history, dialect) => [
    repair(history, { provider: providers[dialect] ?? dialect, dialect }),
    repair(history, { provider: 'strictest', dialect, strict: true }),
  ],
  'turns, rounds, split': (history, dialect) => [
    turns(history, { dialect }),
    rounds(history, { dialect }),
    split(history, { dialect, minKeep: history.length >> 1 }),
    split(history, { dialect, minKeep: 1, maxKeep: 2 }),
  ],
  compact: (history, dialect) =>
    compact(history, { provider: providers[dialect] ?? dialect, dialect, budget: { limit: 500 } }),
  'compact by shrinking': (history, dialect) => compactBy(history, dialect, ['shrink']),
  'compact by clearing': (history, dialect) => compactBy(history, dialect, ['clear']),
  'compact by reasoning': (history, dialect) => compactBy(history, dialect, ['reasoning']),
  'compact by dropping': (history, dialect) => compactBy(history, dialect, ['drop']),
  explain: (history) => explain(JSON.stringify({ error: { message: JSON.stringify(history) } })),
}

describe.each(dialectIds.map((dialect, i) => [dialect, i] as const))('%s', (dialect, i) => {
  const expressed = Object.entries(shapes).flatMap(([name, shape], j) => {
    const made = histories(shape, dialect)
    return made ? [[name, made, j] as const] : []
  })

  it.each(expressed)('%s', (_name, made, j) => {
    expect(problemsOf(made, dialect, chosen(i + j))).toEqual([])
  })

  it('many cache marks', (context) => {
    const made = histories(shapes['many rounds in one turn']!, dialect)
    if (!made) return context.skip('a line of a tool has no shape in this dialect')
    expect(problemsOf((size) => marked(made(size)), dialect, chosen(i))).toEqual([])
  })
})

/** Lint sees every shape in every dialect; the others every shape in some dialect. The long form has them all. */
function chosen(place: number): readonly [string, Function][] {
  return Object.entries(functions).filter(([name], i) => LONG || name === 'lint' || (place + i) % 7 === 0)
}

function problemsOf(
  made: (size: number) => History,
  dialect: string,
  functions: readonly [string, Function][],
): string[] {
  return functions.flatMap(([name, run]) => {
    // A new list for each measurement: caches are kept by its reference.
    const problem = superlinear((size) => {
      const history = made(size)
      return () => run(history, dialect)
    }, sizes)
    return problem === undefined ? [] : [`${name} ${problem}`]
  })
}

it('quadratic work would be found', () => {
  const quadratic = (size: number) => () => {
    let list: number[] = []
    for (let i = 0; i < size * 4; i++) list = [...list, i]
    return list
  }
  expect(superlinear(quadratic, sizes)).toMatch(/times as long/)
})
