/**
 * Row 12 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { unbundle } from './children.ts'
import { schemaRow } from './schemas.ts'

afterAll(unbundle)

it('every earlier schema is opened, and a newer one is rejected and not changed', { timeout: 120_000 }, async () => {
  const outcome = await schemaRow()
  expect(outcome).toMatchObject({ invalid: 0, wrong: [] })
  expect(outcome.tried).toBeGreaterThanOrEqual(6)
})
