/**
 * Row 3 of the crash matrix.
 */
import { afterAll, expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { unbundle, withoutStrace } from './children.ts'
import { seedOf } from './matrix-row.ts'
import { powerRow } from './power.ts'

afterAll(unbundle)

const missing = withoutStrace()
const images = runsOf(1500, 5000, 'SUTURE_IMAGES')
const why = missing ? ` (skipped: ${missing})` : ''
const share = (part: number) => Math.round(images * part)

it.skipIf(missing)(
  `FULL, journal ahead: ${share(0.4)} power cuts lose nothing${why}`,
  { timeout: 600_000 },
  async () => {
    const outcome = await powerRow({ images: share(0.4), seed: seedOf(), synchronous: 'full', journal: 'wal' })
    console.log(outcome.notes)
    expect(outcome).toMatchObject({ tried: share(0.4), lost: 0, invalid: 0, wrong: [] })
  },
)

it.skipIf(missing)(
  `FULL, rollback journal: ${share(0.3)} power cuts lose nothing${why}`,
  { timeout: 600_000 },
  async () => {
    const outcome = await powerRow({ images: share(0.3), seed: seedOf(), synchronous: 'full', journal: 'delete' })
    console.log(outcome.notes)
    expect(outcome).toMatchObject({ tried: share(0.3), lost: 0, invalid: 0, wrong: [] })
  },
)

it.skipIf(missing)(
  `NORMAL: ${share(0.3)} power cuts take a suffix at most, and leave no hole${why}`,
  { timeout: 600_000 },
  async () => {
    const outcome = await powerRow({ images: share(0.3), seed: seedOf(), synchronous: 'normal', journal: 'wal' })
    console.log(outcome.notes)
    expect(outcome).toMatchObject({ tried: share(0.3), invalid: 0, wrong: [] })
  },
)
