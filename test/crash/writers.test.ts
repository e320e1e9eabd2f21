/**
 * Rows 4 and 5 of the crash matrix: many writers, and connections that are cut.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { runsOf } from '../long-runs.ts'
import { startPostgres } from '../postgres.ts'
import { unbundle } from './children.ts'
import { cutRow } from './cut-connections.ts'
import { sqliteVersion } from './drivers.ts'
import { seedOf } from './matrix-row.ts'
import { writersRow } from './writers.ts'

const appends = runsOf(60, 200, 'SUTURE_APPENDS')
const cuts = runsOf(250, 1000, 'SUTURE_CUTS')
const server = await startPostgres()
const running = typeof server === 'string' ? undefined : server
const why = typeof server === 'string' ? ` (skipped: ${server})` : ''
const postgres = running
  ? { address: running.url, engine: `PostgreSQL from ${running.from}` }
  : { engine: 'PostgreSQL' }
const many = { processes: 8, appends, seed: seedOf() }

afterAll(() => running?.stop())
afterAll(unbundle)

it(`SQLite: ${8 * appends} appends of 8 processes fit into one order`, { timeout: 600_000 }, async () => {
  const outcome = await writersRow({ ...many, engine: sqliteVersion() })
  expect(outcome).toMatchObject({ tried: 8 * appends, invalid: 0, wrong: [] })
})

describe.skipIf(!running)(`PostgreSQL${why}`, () => {
  it(`${8 * appends} appends of 8 processes fit into one order`, { timeout: 600_000 }, async () => {
    const outcome = await writersRow({ ...many, ...postgres })
    expect(outcome).toMatchObject({ tried: 8 * appends, invalid: 0, wrong: [] })
  })

  it('the negative control, positions from a sequence, is caught', { timeout: 600_000 }, async () => {
    const outcome = await writersRow({ ...many, appends: 30, ...postgres, address: `sequence:${running!.url}` })
    console.log(`control: ${outcome.invalid} violations, such as: ${outcome.wrong[0]}`)
    expect(outcome.invalid).toBeGreaterThan(0)
  })

  it(`${cuts} connections cut around the commit: stored exactly once, at the acknowledged position`, {
    timeout: 600_000,
  }, async () => {
    const outcome = await cutRow({ cuts, seed: seedOf(), url: running!.url, engine: postgres.engine })
    console.log(outcome.notes)
    expect(outcome).toMatchObject({ lost: 0, invalid: 0, wrong: [] })
    expect(outcome.tried).toBeGreaterThanOrEqual(cuts)
  })
})
