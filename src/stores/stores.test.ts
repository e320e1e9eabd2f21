import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../session/index.ts'
import { openStore } from '../session-door.ts'
import { testStore } from '../testing/index.ts'
import { memoryStore } from './memory.ts'
import { postgresStore } from './postgres.ts'

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
testStore('sqlite without WAL', { open: () => openStore(`sqlite:${folder}/plain.db`, { journal: 'delete' }) })
testStore('PGlite', { open: () => postgresStore({ query: (text, values) => pglite.query(text, values) }) })

/** One memory for all that open it. */
function lasting(store: Store): Store {
  return Object.assign(Object.create(store), { close: async () => {} })
}
