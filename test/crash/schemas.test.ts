/**
 * Row 12 of the crash matrix.
 */
import { expect, it } from 'vitest'
import { schemaRow } from './schemas.ts'

it('every schema there ever was is opened, and a newer one refused and left alone', async () => {
  const outcome = await schemaRow()
  expect(outcome).toMatchObject({ unsound: 0, wrong: [] })
  expect(outcome.tried).toBeGreaterThanOrEqual(3)
})
