/**
 * The promises of repair over random broken histories: every dialect, the provider and the model drawn at random.
 * A failing history becomes a named case in unusual-histories.test.ts.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply, type Dialect, dialects, type Finding, lint, providers, repair, rules } from '../src/index.ts'
import { brokenHistory, validHistory } from '../src/testing/arbitraries.ts'
import { runsOf } from './long-runs.ts'
import { models } from './model-names.ts'
import { brokenPromise } from './repair-promises.ts'

const runs = runsOf(1000, 20_000)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261115)

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  const serving = providers
    .filter((provider) => provider.serves.some((one) => one.dialect.id === id))
    .map((one) => one.id)
  const provider = fc.constantFrom(...serving, 'strictest')
  const target = provider.chain((name) =>
    fc
      .constantFrom(...(models[name] ?? [undefined]))
      .map((model) => ({ provider: name, dialect: id, ...(model ? { model } : {}) })),
  )

  it(`keeps all promises on ${runs} broken histories`, { timeout: 600_000 }, () => {
    const result = fc.check(
      fc.property(brokenHistory(id), target, (history, options) => {
        const broken = brokenPromise({ history, dialect, options })
        if (broken) throw new Error(broken)
      }),
      { seed, numRuns: runs },
    )
    const [history, options] = result.counterexample ?? []
    expect(
      result.failed,
      `${String(result.errorInstance)}\n${JSON.stringify(options)}\n${JSON.stringify(history)}`,
    ).toBe(false)
  })

  it('gives a valid history back as the very same array, with no finding', () => {
    const main = serving[0]!
    fc.assert(
      fc.property(validHistory(id), (history) => {
        const options = { provider: main, dialect: id }
        expect(lint(history, options)).toEqual([])
        expect(repair(history, options).value).toBe(history)
      }),
      { seed, numRuns: Math.min(runs, runsOf(500, 2000)) },
    )
  })

  it('leaves a pending call alone until the history is sent', () => {
    fc.assert(
      fc.property(validHistory(id), (history) => {
        const asked = [
          ...history,
          dialect.textMessage('user', 'Look it up.'),
          dialect.call(pendingResult(dialect), 'p1', 'look'),
        ]
        const options = { provider: serving[0]!, dialect: id }
        expect(
          lint(asked, { ...options, inProgress: true }).filter(({ rule }) => rule === 'tool-result-missing'),
        ).toEqual([])
        expect(lint(asked, options).filter(({ rule }) => rule === 'tool-result-missing')).toHaveLength(1)
      }),
      { seed, numRuns: runsOf(60, 200) },
    )
  })

  it('works out the fix of a single finding also after later passes', () => {
    fc.assert(
      fc.property(brokenHistory(id), (history) => {
        const options = { provider: serving[0]!, dialect: id }
        const { findings } = repair(history, options)
        for (const { fix } of findings) if (fix) expect(() => apply(history, fix)).not.toThrow()
        const linted = lint(history, options)
        const shape = linted.filter(({ rule }) => ofShape.has(rule))
        // What the first pass of both finds: later ones see other histories.
        for (const one of shape.length > 0 ? shape : linted)
          expect(findings.find((other) => keyOf(other) === keyOf(one))?.fix).toEqual(one.fix)
      }),
      { seed, numRuns: runsOf(60, 1000) },
    )
  })

  it('reads each message a bounded number of times, valid or broken', () => {
    let reads = 0
    const counted: Dialect = {
      ...dialect,
      read: (message, index, parts) => {
        reads++
        return dialect.read(message, index, parts)
      },
    }
    fc.assert(
      fc.property(brokenHistory(id), (history) => {
        reads = 0
        const found = providers.find((one) => one.id === serving[0])!
        const serves = found.serves.map((one) => (one.dialect.id === id ? { ...one, dialect: counted } : one))
        repair(history, { provider: { ...found, serves }, dialect: id })
        expect(reads).toBeLessThanOrEqual(history.length * MAX_READS + 8)
      }),
      { seed, numRuns: runsOf(80, 300) },
    )
  })
})

const ofShape = new Set<string>(rules.filter(({ phase }) => phase === 'shape').map(({ id }) => id))

function keyOf({ rule, id, at, message }: Finding): string {
  return `${rule} ${id} ${at.join('/')} ${message}`
}

/**
 * A repair reads the history once, then only what a pass has changed (docs/decisions/0005), and the lint of its outcome
 * does the same: never once per pass or per rule.
 */
const MAX_READS = 4

function pendingResult(dialect: Dialect) {
  return {
    kind: 'result',
    type: '',
    message: 0,
    list: [],
    index: -1,
    value: dialect.textMessage('user', ''),
    id: 'p1',
    name: 'look',
    body: '',
    signature: undefined,
    order: -1,
    server: false,
    failed: false,
    aliased: false,
  } as const
}
