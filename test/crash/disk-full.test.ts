/**
 * Row 6 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { unbundle } from './children.ts'
import { fullRow } from './disk-full.ts'

afterAll(unbundle)

const steps = runsOf(20, 50, 'SUTURE_FULL_STEPS')

it(`a disk that is full at each of ${steps} steps of 4 KB: the true error, nothing lost, and later appends work`, {
  timeout: 600_000,
}, async (test) => {
  const outcome = await fullRow({ steps })
  if (outcome.skipped) test.skip(outcome.skipped)
  console.log(outcome.notes)
  expect(outcome).toMatchObject({ tried: steps, lost: 0, invalid: 0, wrong: [] })
  expect(outcome.notes).toMatch(/errors met: \S/)
})
