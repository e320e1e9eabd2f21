/**
 * Clients that do not send back what they got: one session, the branches that a person would expect, every request with its
 * reply in the log, and no more bytes than what is new.
 */
import { describe, expect, it } from 'vitest'
import { memoryStore, type Store } from '../../src/session.ts'
import { runsOf } from '../long-runs.ts'
import { begunWith, clients, says, table, user } from './recorded-clients.ts'
import { recorder } from './recorder.ts'

async function bytesIn(store: Store): Promise<number> {
  let sum = 0
  for (const name of await store.list('', 1e6)) {
    const shared = (await store.lineage(name)).base?.head ?? 0
    for (const { body } of await store.read(name, shared + 1, 1e6)) sum += body.length
  }
  return sum
}

/** Marks and the fields of records, for each request. */
const OVERHEAD = 800

describe('what clients do with their history', () => {
  it.each([...table, ...clients])('$name', async ({ run, branches = 0 }) => {
    const store = memoryStore()
    const client = await recorder(store)
    await run(client, begunWith(60), 30)
    const found = await client.readBack()
    await client.close()
    expect(found.problems).toEqual([])
    expect(found.ids).toEqual(['s1'])
    expect(found.branches.length).toBeLessThanOrEqual(branches)
    expect(await bytesIn(store)).toBeLessThan(1.5 * found.fresh + OVERHEAD * client.requests())
  })
})

it('a log in which an early message changes with each turn is at most three times as large', async () => {
  const turns = runsOf(120, 1000)
  const sizeOf = async (early: (n: number) => string) => {
    const store = memoryStore()
    const client = await recorder(store)
    const history: unknown[] = []
    for (let n = 0; n < turns; n++) {
      history.push(user(`Question ${n}.`))
      history.push(says(await client.ask([user(early(n)), says('Ok.'), ...history])))
    }
    await client.close()
    return bytesIn(store)
  }
  const map = 'src/file.ts: function work()\n'.repeat(150)
  const changed = await sizeOf((n) => `Version ${n}.\n${map}Changed ${n} times.\n${map}End ${n}.`)
  expect(changed).toBeLessThan(3 * (await sizeOf(() => `${map}${map}`)))
})
