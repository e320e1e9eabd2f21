/** The promises of repair, or of compaction, over random histories. */
import fc from 'fast-check'
import { type Dialect, dialects, providers } from '../../src/index.ts'
import { estimateTokens } from '../../src/strategies/estimate.ts'
import { counterFor } from '../../src/strategies/token-counts.ts'
import { brokenHistory } from '../../src/testing/arbitraries.ts'
import { brokenCompaction, ladders, type Shortening, strategiesFor } from '../../test/compact-promises.ts'
import { models } from '../../test/model-names.ts'
import { brokenPromise } from '../../test/repair-promises.ts'

export interface PromiseOptions {
  readonly runs: number
  readonly seed: number
  readonly dialect?: string | undefined
  readonly provider?: string | undefined
  readonly compact: boolean
}

/** How many dialects have a history that breaks a promise. */
export function fuzzPromises(options: PromiseOptions): number {
  return dialects.filter((dialect) => fails(dialect, options)).length
}

function fails(dialect: Dialect, { runs, seed, compact, ...wanted }: PromiseOptions): boolean {
  if (wanted.dialect && dialect.id !== wanted.dialect) return false
  const serving = providers
    .filter((one) => one.serves.some((service) => service.dialect.id === dialect.id))
    .map((one) => one.id)
  const names = [...serving, 'strictest' as const].filter((name) => !wanted.provider || name === wanted.provider)
  if (names.length === 0) return false
  const target = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .constantFrom(...(models[name] ?? [undefined]))
        .map((model) => ({ provider: name, dialect: dialect.id, ...(model ? { model } : {}) })),
    )
  const result = fc.check(
    fc.property(brokenHistory(dialect.id), target, (history, options) => {
      const broken = compact ? shortened(history, dialect, options) : brokenPromise({ history, dialect, options })
      if (broken) throw new Error(broken)
    }),
    { seed, numRuns: runs },
  )
  console.log(
    `${dialect.id}: ${result.numRuns} histories, seed ${seed}: ${result.failed ? 'FAILED' : 'all promises hold'}`,
  )
  if (result.failed) {
    console.log(String(result.errorInstance))
    console.log(JSON.stringify(result.counterexample))
  }
  return result.failed
}

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
