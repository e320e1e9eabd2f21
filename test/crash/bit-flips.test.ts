/**
 * Row 7 of the crash matrix.
 */
import { expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { flipRow } from './bit-flips.ts'
import { seedOf } from './matrix-row.ts'

const flips = runsOf(150, 400, 'SUTURE_FLIPS')

it(`${flips} bits turned: every changed message is reported with its position`, { timeout: 600_000 }, async () => {
  const outcome = await flipRow({ flips, seed: seedOf() })
  console.log(outcome.notes)
  expect(outcome).toMatchObject({ tried: flips, invalid: 0, wrong: [] })
})
