/**
 * The promises of repair, or with --compact of compaction, over as many random histories as asked for.
 * Usage: npm run fuzz -- [--runs 100000] [--seed 1] [--dialect gemini] [--provider vertex] [--compact]
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { type Dialect, dialects, providers } from '../src/index.ts'
import { estimateTokens } from '../src/strategies/estimate.ts'
import { counterFor } from '../src/strategies/token-counts.ts'
import { brokenHistory } from '../src/testing/arbitraries.ts'
import { brokenCompaction, ladders, type Shortening, strategiesFor } from '../test/compact-promises.ts'
import { models } from '../test/model-names.ts'
import { brokenPromise } from '../test/repair-promises.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    dialect: { type: 'string' },
    provider: { type: 'string' },
    compact: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
let failed = false
for (const dialect of dialects) {
  if (values.dialect && dialect.id !== values.dialect) continue
  const serving = providers
    .filter((one) => one.serves.some((service) => service.dialect.id === dialect.id))
    .map((one) => one.id)
  const names = [...serving, 'strictest' as const].filter((name) => !values.provider || name === values.provider)
  if (names.length === 0) continue
  const target = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .constantFrom(...(models[name] ?? [undefined]))
        .map((model) => ({ provider: name, dialect: dialect.id, ...(model ? { model } : {}) })),
    )
  const result = fc.check(
    fc.property(brokenHistory(dialect.id), target, (history, options) => {
      const broken = values.compact
        ? shortened(history, dialect, options)
        : brokenPromise({ history, dialect, options })
      if (broken) throw new Error(broken)
    }),
    { seed, numRuns: Number(values.runs) },
  )
  console.log(
    `${dialect.id}: ${result.numRuns} histories, seed ${seed}: ${result.failed ? 'FAILED' : 'all promises hold'}`,
  )
  if (result.failed) {
    failed = true
    console.log(String(result.errorInstance))
    console.log(JSON.stringify(result.counterexample))
  }
}
process.exitCode = failed ? 1 : 0

/** Every strategy at three budgets. */
function shortened(history: readonly unknown[], dialect: Dialect, options: Shortening['options']): string | undefined {
  const total = counterFor(dialect, estimateTokens).sum(history)
  for (const ladder of ladders) {
    for (const share of [0.1, 0.5, 0.9]) {
      const budget = { limit: Math.max(1, Math.floor(total * share)) }
      const broken = brokenCompaction({
        history,
        dialect,
        options: { ...options, budget, strategies: strategiesFor(ladder) },
      })
      if (typeof broken === 'string') return `${ladder.join(', ')} at ${share}: ${broken}`
    }
  }
  return undefined
}
