/**
 * Files of an older schema, with each driver: all of them is there after the migration, however it goes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { rootFolder } from '../../test/crash/matrix-row.ts'
import { sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { backToSchema1 } from '../../test/sqlite-schema-1.ts'
import { Fuse, fused } from '../../test/store-faults.ts'
import { openSession, type Store } from '../session.ts'
import { type SqliteHandle, sqliteStore } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai', snapshotEvery: 20 } as const
const sessions = ['a', 'b', 'z']

/** Sessions shorter and longer than a group of operations, with appends of one record and of several. */
async function written(store: Store): Promise<void> {
  for (const [i, id] of sessions.entries()) {
    const session = await openSession(store, id, options)
    for (let n = 0; n < [3, 32, 75][i]!; n++) {
      const messages = Array.from({ length: 1 + (n % 3) }, (_, k) => ({ role: 'user', content: `${id} ${n} ${k}` }))
      await session.append(messages, { operationId: `op ${n}` })
    }
  }
  await store.claim('b', 'somebody', { takeOver: false })
}

/** All that a store says of them, what it says to operations that are asked for again included. */
async function contents(store: Store): Promise<unknown> {
  const all: unknown[] = [await store.list('', 10)]
  for (const id of sessions) {
    const head = await store.head(id)
    const entries = await store.read(id, 1, head.head)
    const found = await Promise.all([...new Set(entries.map(({ op }) => op))].map((op) => store.find(id, op)))
    all.push([head, entries, found, await store.find(id, 'never')])
  }
  return all
}

for (const { name: driver, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(driver, () => {
    const old = async () => {
      const file = newFile()
      const store = await sqliteStore(open(file), { synchronous: 'normal' })
      await written(store)
      const was = await contents(store)
      await store.close()
      const db = open(file)
      backToSchema1(db, rootFolder())
      return { file, was, db }
    }

    it('has the same content after the migration, and continues', async () => {
      const { file, was, db } = await old()
      db.close()
      const store = await sqliteStore(open(file))
      expect(await contents(store)).toEqual(was)
      const copy = open(`${file}.schema-1`)
      expect(copy.prepare('SELECT max(version) AS version FROM suture_schema').get()).toMatchObject({ version: 1 })
      const again = await sqliteStore(copy)
      expect(await contents(again)).toEqual(was)
      await again.close()
      const session = await openSession(store, 'z', options)
      const { head } = session
      const op70 = [0, 1].map((k) => ({ role: 'user', content: `z 70 ${k}` }))
      expect(await session.append(op70, { operationId: 'op 70' })).toMatchObject({ again: true })
      await expect(session.append(op70.slice(1), { operationId: 'op 70' })).rejects.toMatchObject({ code: 'conflict' })
      for (let n = 0; n < 40; n++) await session.append([{ role: 'user', content: `on ${n}` }], { operationId: `${n}` })
      for (let n = 0; n < 40; n++)
        expect(await session.append([{ role: 'user', content: `on ${n}` }], { operationId: `${n}` })).toMatchObject({
          again: true,
          positions: [expect.any(Number)],
        })
      expect(session.head).toBeGreaterThanOrEqual(head + 40)
      expect(await session.verify()).toMatchObject({ valid: true, records: session.head })
      await session.forget()
      expect(await store.list('', 10)).toEqual(['a', 'b'])
      await store.close()
    })

    it('interrupted at any statement, it leaves a file that opens with the same content', async () => {
      const { file, was, db } = await old()
      for (const after of [false, true])
        for (let n = 1; ; n++) {
          const fuse = new Fuse('SQLITE_IOERR')
          fuse.arm(n, after)
          const failure = await sqliteStore(fused(db, fuse)).catch((error: { code: string }) => error.code)
          const broken = typeof failure === 'string'
          if (broken) expect(['store-failed', 'unknown-outcome']).toContain(failure)
          const store = await sqliteStore(open(file))
          expect(await contents(store)).toEqual(was)
          await store.close()
          backToSchema1(db, rootFolder())
          if (!broken) break
        }
      db.close()
    })

    it('several that start at once migrate once', async () => {
      const { file, was, db } = await old()
      const stores = await Promise.all(Array.from({ length: 5 }, () => sqliteStore(open(file))))
      expect(db.prepare('SELECT version FROM suture_schema').all().map(plain)).toEqual([{ version: 1 }, { version: 2 }])
      for (const store of stores) expect(await contents(store)).toEqual(was)
      await Promise.all(stores.map((store) => store.close()))
      db.close()
    })

    it('the copy that is kept is the first one, and one that cannot be made stops the migration before it begins', async () => {
      const { file, was, db } = await old()
      writeFileSync(`${file}.schema-1`, 'kept')
      await (await sqliteStore(open(file))).close()
      expect(readFileSync(`${file}.schema-1`, 'utf8')).toBe('kept')
      backToSchema1(db, rootFolder())
      rmSync(`${file}.schema-1`)
      mkdirSync(`${file}.schema-1.${process.pid}.part`)
      await expect(sqliteStore(db)).rejects.toMatchObject({
        code: 'store-failed',
        message: expect.stringContaining('copy'),
      })
      expect(db.prepare('SELECT max(version) AS version FROM suture_schema').get()).toMatchObject({ version: 1 })
      rmSync(`${file}.schema-1.${process.pid}.part`, { recursive: true })
      const store = await sqliteStore(db)
      expect(await contents(store)).toEqual(was)
      await store.close()
    })

    it('a process of the older version that is still running can no longer write', async () => {
      const { file, was, db } = await old()
      const asked = ask1(db)
      expect(asked()).toBe(6)
      const store = await sqliteStore(open(file))
      expect(asked).toThrow('no such table: suture_head')
      expect(await contents(store)).toEqual(was)
      await store.close()
      db.close()
    })
  })

/** What version 1 asks for before each append. */
function ask1(db: SqliteHandle): () => number {
  const head = db.prepare('SELECT head, hash, snapshot, epoch, owner FROM suture_head WHERE session = ?')
  return () => {
    db.exec('BEGIN IMMEDIATE')
    try {
      return (head.get('a') as { head: number }).head
    } finally {
      db.exec('ROLLBACK')
    }
  }
}

function plain(row: unknown): object {
  return { ...(row as object) }
}
