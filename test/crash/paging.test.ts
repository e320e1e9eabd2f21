/**
 * Row 10 of the crash matrix.
 */
import { expect, it } from 'vitest'
import { pagingRow } from './paging.ts'
import { seedOf } from './row.ts'

it('500 readings page by page while the conversation changes', { timeout: 600_000 }, async () => {
  const outcome = await pagingRow({ runs: 500, seed: seedOf() })
  console.log(outcome.notes)
  expect(outcome).toMatchObject({ tried: 500, unsound: 0, wrong: [] })
})
