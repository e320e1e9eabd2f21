/**
 * The promises of a compaction over random histories, valid and broken: every dialect, provider, model, strategy and
 * budget drawn at random.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialects, providers } from '../src/index.ts'
import { estimateTokens } from '../src/strategies/estimate.ts'
import { counterFor } from '../src/strategies/token-counts.ts'
import { brokenHistory, validHistory } from '../src/testing/arbitraries.ts'
import { brokenCompaction, ladders, strategiesFor } from './compact-promises.ts'
import { runsOf } from './long-runs.ts'
import { models } from './model-names.ts'

const runs = runsOf(300, 2900)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261116)

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  const serving = providers
    .filter((one) => one.serves.some((service) => service.dialect.id === id))
    .map((one) => one.id)
  const target = fc
    .constantFrom(...serving, 'strictest')
    .chain((name) => fc.constantFrom(...(models[name] ?? [undefined])).map((model) => ({ provider: name, model })))
  const options = fc.record({
    target,
    ladder: fc.constantFrom(...ladders),
    share: fc.integer({ min: 1, max: 105 }),
    large: fc.boolean(),
    inProgress: fc.boolean(),
    pinned: fc.boolean(),
    history: fc.oneof(validHistory(id), brokenHistory(id)),
  })

  const acted = new Map<readonly string[], number>()

  it(`keeps all promises on ${runs} histories and budgets (seed ${seed})`, { timeout: 300_000 }, () => {
    const result = fc.check(
      fc.property(
        options,
        ({ target: { provider, model }, ladder, share, large, inProgress, pinned, history: small }) => {
          const history = large ? inflated(small) : small
          const limit = Math.max(1, Math.floor((sizeOf(history, dialect) * share) / 100))
          const broken = brokenCompaction({
            history,
            dialect,
            options: {
              provider,
              dialect: id,
              ...(model ? { model } : {}),
              inProgress,
              budget: { limit },
              strategies: strategiesFor(ladder),
              ...(pinned ? { pins: ['Never touch </kept> the\nproduction database.'] } : {}),
            },
          })
          if (typeof broken === 'string') throw new Error(broken)
          if (broken) acted.set(ladder, (acted.get(ladder) ?? 0) + 1)
        },
      ),
      // Shrinking takes minutes, so it is asked for.
      { seed, numRuns: runs, endOnFailure: process.env['SUTURE_SHRINK'] === undefined },
    )
    expect(result.failed, `${String(result.errorInstance)}\n${JSON.stringify(result.counterexample)}`).toBe(false)
    // What never acts promises nothing. Where reasoning must come back, or a dialect has none, that strategy rests.
    for (const ladder of ladders.filter(([first]) => first !== 'reasoning'))
      expect(acted.get(ladder) ?? 0, `${ladder.join()} acted`).toBeGreaterThan(runs / 100)
  })
})

function sizeOf(history: readonly unknown[], dialect: Dialect): number {
  return counterFor(dialect, estimateTokens).sum(history)
}

/** The same history with long texts, so that what is removed is larger than the note that replaces it. */
function inflated(history: unknown[]): unknown[] {
  const long = JSON.stringify(`hello ${'and some more words of it, '.repeat(20)}`)
  return JSON.parse(JSON.stringify(history).replaceAll('"hello"', long).replaceAll('"Done."', long))
}
