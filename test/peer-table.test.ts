/**
 * Suture's own row of the peer table has no failure: on the 14 histories and on corrupted conversations, for every
 * provider of the table.
 */
import { expect, it } from 'vitest'
import { trialsOf } from '../bench/peers/repair-table.ts'
import { type Row, scored } from '../bench/peers/score.ts'
import { suture } from '../bench/peers/suture.ts'
import { runsOf } from './long-runs.ts'

const RUNS = runsOf(400, 4000)

it('accepts, keeps, settles, reports and undoes every history', async () => {
  const row = await scored(suture, trialsOf(RUNS).trials)
  expect(row.failures).toEqual([])
  expect(row.histories).toBeGreaterThanOrEqual(RUNS)
  for (const [column, { kept, of }] of columnsOf(row)) expect({ column, kept }).toEqual({ column, kept: of })
})

it('notes a repair that loses a result', async () => {
  const { trials } = trialsOf(40)
  const losing: typeof suture = {
    ...suture,
    async repair(history, target, isPending) {
      const done = await suture.repair(history, target, isPending)
      return { ...done, plain: done.plain.filter(({ role }) => role !== 'tool') }
    },
  }
  const row = await scored(losing, trials)
  expect(row.outputs.kept).toBeLessThan(row.outputs.of)
  expect(row.failures.length).toBeGreaterThan(0)
})

function columnsOf(row: Row) {
  const { outputs, calls, texts, idempotent, validUnchanged, pendingLeft, reported, undone, accepted } = row
  const named = { outputs, calls, texts, idempotent, validUnchanged, pendingLeft, reported: reported!, undone: undone! }
  return [...Object.entries(named), ...Object.entries(accepted)]
}
