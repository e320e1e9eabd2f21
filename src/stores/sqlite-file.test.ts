/**
 * The file of an SQLite store, with each driver: how it is set up, what is refused, what damage is found.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pragma, sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { openSession } from '../session-door.ts'
import { type SqliteHandle, type SqliteOptions, sqliteStore } from './sqlite.ts'
import { remoteMount } from './sqlite-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-sqlite-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai' }
const user = (content: string) => ({ role: 'user', content })
/** Has the handle say that it is of another version. */
function pretend(db: SqliteHandle, version: string): void {
  ;(db as unknown as { function(name: string, work: () => string): unknown }).function('sqlite_version', () => version)
}

for (const { name, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(name, () => {
    it('is set up as promised: WAL, synced, pages of 8 KB', async () => {
      const db = open(newFile())
      const store = await sqliteStore(db)
      expect([pragma(db, 'journal_mode'), pragma(db, 'synchronous'), pragma(db, 'page_size')]).toEqual(['wal', 2, 8192])
      await store.close()
    })

    it('a newer schema, an old SQLite and a network mount are refused, each with what to do', async () => {
      const file = newFile()
      await (await sqliteStore(open(file))).close()
      const db = open(file)
      db.exec('INSERT INTO suture_schema VALUES (7)')
      await expect(sqliteStore(db)).rejects.toMatchObject({ code: 'store-newer', detail: { found: 7, known: 1 } })
      db.close()
      const old = open(newFile())
      pretend(old, '3.45.1')
      await expect(sqliteStore(old)).rejects.toMatchObject({
        code: 'store-unsafe',
        message: expect.stringContaining("journal: 'delete'"),
      })
      const store = await sqliteStore(old, { journal: 'delete' })
      await store.close()
      expect([0x6969, 0xfe534d42, 0xef53].map(remoteMount)).toEqual(['NFS', 'SMB2', undefined])
    })

    it('a rollback journal is synced with its folder: without that a power cut takes the latest commit back', async () => {
      const syncing = async (options: SqliteOptions) => {
        const db = open(newFile())
        const store = await sqliteStore(db, options)
        const level = pragma(db, 'synchronous')
        await store.close()
        return level
      }
      expect(await syncing({})).toBe(2)
      expect(await syncing({ journal: 'delete' })).toBe(3)
      expect(await syncing({ journal: 'delete', synchronous: 'normal' })).toBe(1)
    })

    it('a file of a newer schema is left as it is, its journal mode included', async () => {
      const file = newFile()
      await (await sqliteStore(open(file), { journal: 'delete' })).close()
      const db = open(file)
      db.exec('INSERT INTO suture_schema (version) VALUES (7)')
      await expect(sqliteStore(db)).rejects.toMatchObject({ code: 'store-newer' })
      expect(pragma(db, 'journal_mode')).toBe('delete')
      db.close()
    })

    describe('damage', () => {
      const damaged = async (change: (db: SqliteHandle) => void) => {
        const db = open(newFile())
        const store = await sqliteStore(db)
        const session = await openSession(store, 's', options)
        await session.append([user('one'), { role: 'assistant', content: '1' }, user('two')])
        await session.append([{ role: 'assistant', content: '2' }, user('three')])
        change(db)
        const again = await openSession(store, 's', options)
        const { damage } = await again.verify()
        const raw = (await again.raw()) as { content: string }[]
        await store.close()
        return { damage, found: again.found.damaged, said: raw.map(({ content }) => content) }
      }

      it('a changed body, a changed hash, a missing record: each named at its place and nowhere else', async () => {
        const set = (sql: string) => damaged((db) => db.exec(`UPDATE suture_record SET ${sql}`))
        expect((await set(`body = replace(body, 'two', 'tWo') WHERE seq = 3`)).damage).toEqual([
          { seq: 3, what: 'changed' },
        ])
        expect(
          (await set(`hash = 'f' || substr(hash, 2) WHERE seq = 2 AND hash NOT LIKE 'f%'`)).damage.length,
        ).toBeLessThan(2)
        expect((await damaged((db) => db.exec('DELETE FROM suture_record WHERE seq = 4'))).damage).toEqual([
          { seq: 4, what: 'missing' },
        ])
        expect((await damaged((db) => db.exec(`UPDATE suture_head SET hash = 'x'`))).damage).toEqual([
          { seq: 5, what: 'head' },
        ])
      })

      it('a session whose head is gone is refused and does not pass for a new one', async () => {
        await expect(damaged((db) => db.exec('DELETE FROM suture_head'))).rejects.toMatchObject({
          code: 'store-failed',
          message: expect.stringContaining('no head'),
        })
      })

      it('a record that cannot be read is passed over and counted; the rest is there', async () => {
        const { damage, found, said } = await damaged((db) =>
          db.exec(`UPDATE suture_record SET body = '{"message":' WHERE seq = 2`),
        )
        expect([damage, found, said]).toEqual([[{ seq: 2, what: 'unreadable' }], [2], ['one', 'two', '2', 'three']])
      })
    })
  })
