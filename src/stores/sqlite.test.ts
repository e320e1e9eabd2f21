/**
 * The SQLite store where things go wrong, with each driver: every statement fails once, the disk is full, others hold
 * the lock, the handle is gone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { everyStatementFails, Fuse, fused } from '../../test/store-faults.ts'
import { openSession } from '../session.ts'
import { sqliteStore } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai' } as const
const user = (content: string) => ({ role: 'user', content })

for (const { name: driver, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(driver, () => {
    everyStatementFails(async () => {
      const fuse = new Fuse('SQLITE_IOERR')
      const store = await sqliteStore(fused(open(newFile()), fuse), { synchronous: 'normal' })
      return { store, arm: (n, after) => fuse.arm(n, after), disarm: () => fuse.disarm() }
    })

    it('a migration that breaks off at any statement leaves a file that opens', async () => {
      for (const after of [false, true]) {
        for (let n = 1; ; n++) {
          const file = newFile()
          const [db, fuse] = [open(file), new Fuse('SQLITE_IOERR')]
          fuse.arm(n, after)
          const failure = await sqliteStore(fused(db, fuse)).then(
            () => undefined,
            (error: { code: string }) => error.code,
          )
          expect([undefined, 'store-failed', 'unknown-outcome']).toContain(failure)
          db.close()
          const store = await sqliteStore(open(file))
          const session = await openSession(store, 's', options)
          await session.append([user('one')])
          expect(await session.verify()).toMatchObject({ valid: true, records: 1 })
          await store.close()
          if (!failure) break
        }
      }
    })

    it('several that start at once migrate once', async () => {
      const file = newFile()
      const stores = await Promise.all(Array.from({ length: 5 }, () => sqliteStore(open(file))))
      const db = open(file)
      expect(db.prepare('SELECT version FROM suture_schema').all()).toMatchObject([{ version: 1 }])
      db.close()
      await Promise.all(stores.map((store) => store.close()))
    })

    it('a full disk is reported as such, loses nothing, and the store continues when there is space', async () => {
      const db = open(newFile())
      const store = await sqliteStore(db)
      const session = await openSession(store, 's', options)
      await session.append([user('before')])
      const { page_count } = db.prepare('PRAGMA page_count').get() as { page_count: number }
      db.exec(`PRAGMA max_page_count = ${page_count + 2}`)
      const big = [user('x'.repeat(100_000))]
      await expect(session.append(big, { operationId: 'big' })).rejects.toMatchObject({
        code: 'store-failed',
        detail: { code: 'SQLITE_FULL' },
        message: expect.stringContaining('full'),
      })
      expect(await session.raw()).toEqual([user('before')])
      db.exec('PRAGMA max_page_count = 1000000')
      await session.append(big, { operationId: 'big' })
      expect(await (await openSession(store, 's', options)).raw()).toHaveLength(2)
      expect(await session.verify()).toMatchObject({ valid: true })
      await store.close()
    })

    it('an id that was used before is noticed, whether the caller gave it or his ids() did', async () => {
      const store = await sqliteStore(open(newFile()))
      const session = await openSession(store, 's', { ...options, ids: () => 'always' })
      await session.append([user('one')])
      await expect(session.append([user('two')])).rejects.toMatchObject({
        code: 'bad-option',
        detail: { op: 'always' },
      })
      expect(await session.append([user('one')], { operationId: 'always' })).toMatchObject({ again: true })
      await expect(session.append([user('two')], { operationId: 'always' })).rejects.toMatchObject({ code: 'conflict' })
      for (let i = 0; i < 40; i++) await session.append([user(`${i}`)], { operationId: `op ${i}` })
      await expect(session.append([user('two')])).rejects.toMatchObject({ code: 'bad-option' })
      const other = await openSession(store, 's', options)
      for (let i = 0; i < 40; i++) await other.append([user('made up')])
      expect(await other.verify()).toMatchObject({ valid: true, records: 81 })
      await store.close()
    })

    it('waits for others without blocking, and gives up with a typed error', async () => {
      const file = newFile()
      const other = open(file)
      let clock = 0
      let onSleep = () => {}
      const store = await sqliteStore(open(file), {
        busyTimeoutMs: 1000,
        now: () => clock,
        random: () => 0.5,
        sleep: async (ms) => {
          clock += ms
          onSleep()
        },
      })
      const session = await openSession(store, 's', options)
      other.exec('BEGIN IMMEDIATE')
      await expect(session.append([user('one')])).rejects.toMatchObject({
        code: 'store-busy',
        detail: { waitedMs: 1000 },
      })
      let slept = 0
      onSleep = () => {
        if (++slept === 5) other.exec('COMMIT')
      }
      await session.append([user('one')])
      expect(slept).toBe(5)
      other.close()
      await store.close()
    })

    it('a handle that is gone is a typed error, and a new one finds everything', async () => {
      const file = newFile()
      const db = open(file)
      const store = await sqliteStore(db)
      const session = await openSession(store, 's', options)
      await session.append([user('one')])
      db.close()
      await expect(session.append([user('two')])).rejects.toMatchObject({ code: 'store-failed' })
      expect(await session.raw()).toEqual([user('one')])
      const again = await sqliteStore(open(file))
      expect(await (await openSession(again, 's', options)).raw()).toEqual([user('one')])
      await again.close()
    })
  })
