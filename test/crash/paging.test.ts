/**
 * Row 10 of the crash matrix.
 */
import { expect, it } from 'vitest'
import { seedOf } from './matrix-row.ts'
import { pagingRow } from './paging.ts'

it('500 readings page by page while the conversation changes', { timeout: 600_000 }, async () => {
  const outcome = await pagingRow({ runs: 500, seed: seedOf() })
  console.log(outcome.notes)
  expect(outcome).toMatchObject({ tried: 500, invalid: 0, wrong: [] })
})
