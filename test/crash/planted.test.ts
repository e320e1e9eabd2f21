/**
 * Row 11 of the crash matrix: each planted bug is caught by a row, within a few seeds.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { unbundle, withoutStrace } from './children.ts'
import { catchers, caughtBy } from './planted-bug-rows.ts'

afterAll(unbundle)

const missing = withoutStrace()

describe('planted bugs are caught', () => {
  for (const { bug, by, traced } of catchers)
    it.skipIf(traced && missing)(
      `${bug}, by ${by}${traced && missing ? ` (skipped: ${missing})` : ''}`,
      { timeout: 600_000 },
      async () => {
        const words = await caughtBy(bug)
        console.log(`${bug}: ${words ?? 'not caught'}`)
        expect(words).toBeDefined()
      },
    )

  it('and the same rows find nothing if nothing is planted', async () => {
    for (let seed = 1; seed <= 10; seed++) expect(await caughtBy('nothing', seed)).toBeUndefined()
  })
})
