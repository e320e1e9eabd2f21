/**
 * The damage experiment: seeded mutants of every format. A sample here, 100,000 and more with SUTURE_LONG=1.
 */
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../src/session-files/salvage/bytes.ts'
import { runsOf } from '../long-runs.ts'
import { DAMAGE, damage } from './damage.ts'
import { brokenPromises } from './damage-promises.ts'
import { DAMAGE_SAMPLES } from './samples.ts'

const RUNS = runsOf(20, 700, 'SUTURE_DAMAGE_RUNS')

describe.each(DAMAGE_SAMPLES)('damaged $name files', ({ format, container, records }) => {
  const lines = records().map((line) => bytesOf(JSON.stringify(line)))

  it.each(DAMAGE)('%s', { timeout: 600_000 }, (kind) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const mutant = damage(lines, kind, seed, container)
      expect(brokenPromises(format, mutant), `${format} ${kind} seed ${seed}`).toEqual([])
    }
  })
})
