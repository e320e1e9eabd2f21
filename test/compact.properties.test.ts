/**
 * The promises of a compaction over random histories, sound and broken: every dialect, provider, model, strategy and budget drawn at random.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialects, providers } from '../src/index.ts'
import { brokenHistory, soundHistory } from '../src/testing/arbitraries.ts'
import { brokenCompaction, ladders, policyFor } from './compact-promises.ts'
import { models } from './models.ts'

const runs = Number(process.env['SUTURE_RUNS'] ?? 3000)
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
    limit: fc.integer({ min: 1, max: 900 }),
    sending: fc.boolean(),
    pinned: fc.boolean(),
    history: fc.oneof(soundHistory(id), brokenHistory(id)),
  })

  it(`keeps all promises on ${runs} histories and budgets (seed ${seed})`, { timeout: 300_000 }, () => {
    const result = fc.check(
      fc.property(options, ({ target: { provider, model }, ladder, limit, sending, pinned, history }) => {
        const broken = brokenCompaction({
          history,
          dialect,
          options: {
            provider,
            dialect: id,
            ...(model ? { model } : {}),
            sending,
            budget: { limit },
            policy: policyFor(ladder),
            ...(pinned ? { pins: ['Never touch </kept> the\nproduction database.'] } : {}),
          },
        })
        if (broken) throw new Error(broken)
      }),
      // A failure is shrunk by `npm run fuzz`, which has the time for it.
      { seed, numRuns: runs, endOnFailure: true },
    )
    expect(result.failed, `${String(result.errorInstance)}\n${JSON.stringify(result.counterexample)}`).toBe(false)
  })
})
