import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { everyStatementFails, Fuse } from '../../test/store-faults.ts'
import type { Store } from '../session/index.ts'
import { openStore } from '../session.ts'
import { testStore } from '../testing/index.ts'
import { nodeIsNewEnough } from './drivers.ts'
import { memoryStore } from './memory.ts'
import { postgresStore } from './postgres.ts'
import { sqliteStore } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-stores-'))
const memory = memoryStore()
let pglite: PGlite

beforeAll(async () => {
  pglite = await PGlite.create()
})

afterAll(async () => {
  await pglite.close()
  rmSync(folder, { recursive: true, force: true })
})

testStore('memory', { open: () => lasting(memory), lasting: false })
testStore('sqlite', { open: () => openStore(`sqlite:${folder}/chats.db`) })
for (const { name, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(`a handle of ${name}`, () =>
    testStore('sqlite', { open: () => sqliteStore(open(`${folder}/${name.replace(/\W/g, '')}.db`)) }),
  )
testStore('sqlite without WAL', { open: () => openStore(`sqlite:${folder}/plain.db`, { journal: 'delete' }) })
testStore('PGlite', { open: () => postgresStore({ query: (text, values) => pglite.query(text, values) }) })

it('a file that cannot be opened is a typed error with the true cause', async () => {
  await expect(openStore(`sqlite:${folder}/no/such/folder/chats.db`)).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('could not open'),
    cause: expect.any(Error),
  })
})

it(`opens with ${nodeIsNewEnough() ? 'the SQLite of Node' : 'better-sqlite3, as this Node has no SQLite that is new enough'}`, async () => {
  const store = await openStore(`sqlite:${folder}/which.db`)
  const { db } = store as unknown as { db: object }
  expect(db.constructor.name).toBe(nodeIsNewEnough() ? 'DatabaseSync' : 'Database')
  await store.close()
})

describe('PGlite', () =>
  everyStatementFails(async () => {
    const fuse = new Fuse('ECONNRESET')
    const store = await postgresStore({
      query: async (text, values) => (await fuse.run(() => pglite.query(text, values)))!,
    })
    return { store, arm: (n, after) => fuse.arm(n, after), disarm: () => fuse.disarm() }
  }))

/** One memory for all that open it. */
function lasting(store: Store): Store {
  return Object.assign(Object.create(store), { close: async () => {} })
}
