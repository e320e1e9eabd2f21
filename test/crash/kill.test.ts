/**
 * Row 1 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { unbundle } from './children.ts'
import { killRow } from './kill.ts'
import { seedOf } from './matrix-row.ts'

afterAll(unbundle)

const kills = runsOf(40, 300, 'SUTURE_KILLS')

it(`${kills} processes killed at random: nothing acknowledged is lost, every reopen is valid`, {
  timeout: 900_000,
}, async () => {
  const outcome = await killRow({ kills, seed: seedOf() })
  console.log(outcome.notes)
  expect(outcome).toMatchObject({ tried: kills, lost: 0, invalid: 0, wrong: [] })
})
