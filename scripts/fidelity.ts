/**
 * Corrupts conversations in every way, repairs them for every provider, and prints failures by class and provider.
 * Usage: npm run fidelity -- [--runs 20000] [--seed 1] [--dialect gemini] [--provider vertex] [--corruption window-cut]
 * [--show 123]
 */

import { parseArgs } from 'node:util'
import { corruptions } from '../src/testing/corruptions/index.ts'
import { failureOf, trialOf } from '../test/fidelity.ts'
import { repair } from '../test/untyped-api.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    dialect: { type: 'string' },
    provider: { type: 'string' },
    corruption: { type: 'string' },
    show: { type: 'string' },
  },
})
const selection = { dialect: values.dialect, provider: values.provider, corruption: values.corruption }

if (values.show !== undefined) show(Number(values.show))
else run(Number(values.seed), Number(values.runs))

/** One trial, with everything needed to look into it. */
function show(seed: number): void {
  const trial = trialOf(seed, selection)
  if (!trial) {
    console.log('This seed breaks nothing.')
    return
  }
  const { corruption, dialect, provider, model, history, from } = trial
  console.log(corruption.id, dialect.id, provider, model, from)
  console.log(JSON.stringify(history, null, 1))
  const { value, findings } = repair(history, { provider, dialect: dialect.id, ...(model ? { model } : {}) })
  for (const { rule, severity, message } of findings) console.log(severity, rule, message)
  console.log(JSON.stringify(value, null, 1))
  console.log(failureOf(trial))
}

interface Count {
  failed: number
  readonly seed: number
  readonly detail: string
}

function run(first: number, runs: number): void {
  const tried = new Map<string, number>()
  const failed = new Map<string, Count>()
  let done = 0
  for (let seed = first; done < runs; seed++) {
    const trial = trialOf(seed, selection)
    if (!trial) {
      if (seed > first + runs * 20) break
      continue
    }
    done++
    const { id } = trial.corruption
    tried.set(id, (tried.get(id) ?? 0) + 1)
    const failure = failureOf(trial)
    if (!failure) continue
    const key = `${failure.fault} ${id} ${trial.dialect.id} ${trial.provider}`
    const count = failed.get(key)
    if (count) count.failed++
    else failed.set(key, { failed: 1, seed, detail: failure.detail })
  }
  print(done, tried, failed)
}

function print(done: number, tried: ReadonlyMap<string, number>, failed: ReadonlyMap<string, Count>): void {
  for (const { id } of corruptions) {
    const bad = [...failed].filter(([key]) => key.split(' ')[1] === id)
    const count = bad.reduce((sum, [, one]) => sum + one.failed, 0)
    console.log(`${id.padEnd(32)} ${String(tried.get(id) ?? 0).padStart(6)} histories, ${count} failed`)
    for (const [key, one] of bad.sort((a, b) => b[1].failed - a[1].failed))
      console.log(
        `    ${key.replace(` ${id}`, '')}: ${one.failed}, first seed ${one.seed}: ${one.detail.slice(0, 160)}`,
      )
  }
  const total = [...failed.values()].reduce((sum, one) => sum + one.failed, 0)
  console.log(`${done} histories, ${total} failed`)
  if (total > 0) process.exitCode = 1
}
