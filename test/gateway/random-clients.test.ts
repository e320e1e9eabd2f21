/**
 * Random clients that write their history in another way in each request, on several lines at once: every request with its reply can be
 * read from the log, nothing is stored twice, and the end of each line is what its client sent.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore, openStore } from '../../src/session.ts'
import { runsOf } from '../long-runs.ts'
import { startPostgres } from '../postgres.ts'
import { skippable } from '../skip-reasons.ts'
import { randomClient } from './random-clients.ts'

const postgres = await startPostgres()
afterAll(async () => {
  if (typeof postgres !== 'string') await postgres.stop()
})

const SESSIONS = runsOf(25, 10_000)

it(`${SESSIONS} random sessions through two gateways, some of which are lost`, async () => {
  const first = Number(process.env['SUTURE_SEED'] ?? 1)
  for (let seed = first; seed < first + SESSIONS; seed++) {
    const store = memoryStore()
    const { problems, ids } = await randomClient(store, seed, 30, 2)
    expect(problems, `seed ${seed}`).toEqual([])
    expect(ids).toEqual([`random-${seed}`])
  }
})

describe.skipIf(typeof postgres === 'string')(
  skippable('random clients on PostgreSQL', typeof postgres === 'string' && postgres),
  () => {
    it('several at once', async () => {
      const store = await openStore(typeof postgres === 'string' ? '' : postgres.url)
      const seeds = Array.from({ length: runsOf(4, 200) }, (_, i) => i + 1)
      const all = await Promise.all(seeds.map((seed) => randomClient(store, seed, 20, 2)))
      expect(all.flatMap(({ problems }) => problems)).toEqual([])
      await store.close()
    })
  },
)
