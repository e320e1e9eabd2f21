/**
 * Row 12 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { unbundle } from './children.ts'
import { schemaRow } from './schemas.ts'

afterAll(unbundle)

it('a file that several processes create is whole, and one of a newer schema is rejected and not changed', {
  timeout: 120_000,
}, async () => {
  const outcome = await schemaRow()
  expect(outcome).toMatchObject({ invalid: 0, wrong: [] })
  expect(outcome.tried).toBe(4)
})
