/** The file of an SQLite store, with each driver: how it is set up, what is rejected, what damage is found. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pragma, sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { openSession } from '../session.ts'
import { type SqliteHandle, type SqliteOptions, sqliteStore } from './sqlite.ts'
import { remoteMount } from './sqlite-file.ts'
import { END } from './sqlite-sql.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-sqlite-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai' } as const
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

    it('a newer schema, an old SQLite and a network mount are rejected, each with what to do', async () => {
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

    it('a file of a newer schema is not changed, including its journal mode', async () => {
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
        return { damage, found: again.found.damaged, contents: raw.map(({ content }) => content) }
      }

      it('a changed body, a changed hash, a missing record: each named at its place and nowhere else', async () => {
        const set = (sql: string) => damaged((db) => db.exec(`UPDATE suture_record SET ${sql}`))
        expect((await set(`body = replace(body, 'two', 'tWo') WHERE seq = 3`)).damage).toEqual([
          { seq: 3, what: 'changed' },
        ])
        expect(
          (await set(`hash = 'f' || substr(hash, 2) WHERE seq = 2 AND hash NOT LIKE 'f%'`)).damage.length,
        ).toBeLessThan(2)
        expect((await set('part = 1 WHERE seq = 4')).damage).toEqual([{ seq: 4, what: 'changed' }])
        expect((await set('part = 7 WHERE seq = 2')).damage).toEqual([{ seq: 2, what: 'changed' }])
        expect((await damaged((db) => db.exec('DELETE FROM suture_record WHERE seq = 4'))).damage).toEqual([
          { seq: 4, what: 'missing' },
        ])
        expect(
          (await damaged((db) => db.exec(`UPDATE suture_place SET hash = 'x' WHERE seq = ${END}`))).damage,
        ).toEqual([{ seq: 5, what: 'head' }])
      })

      it('a place that is gone, or leads to another record: named as well', async () => {
        expect((await damaged((db) => db.exec('DELETE FROM suture_place WHERE seq = 4'))).damage).toEqual([
          { seq: 4, what: 'missing' },
        ])
        // A record after another record's hash cannot be distinguished from it.
        const { damage } = await damaged((db) => db.exec('UPDATE suture_place SET record = 1 WHERE seq = 3'))
        expect(damage).toEqual([
          { seq: 3, what: 'changed' },
          { seq: 4, what: 'changed' },
        ])
      })

      it('a text that is stored as bytes is still read', async () => {
        const { damage, contents } = await damaged((db) =>
          db.exec(
            'UPDATE suture_record SET kind = CAST(kind AS BLOB), op = CAST(op AS BLOB), body = CAST(body AS BLOB) WHERE seq = 3',
          ),
        )
        expect([damage, contents]).toEqual([[], ['one', '1', 'two', '2', 'three']])
      })

      it('a session whose head is gone is rejected and does not pass for a new one', async () => {
        for (const sql of [
          `DELETE FROM suture_place WHERE seq = ${END}`,
          'DELETE FROM suture_place',
          'DELETE FROM suture_place WHERE seq > 1; DELETE FROM suture_session',
          `UPDATE suture_place SET hash = NULL WHERE seq = ${END}`,
        ])
          await expect(damaged((db) => db.exec(sql))).rejects.toMatchObject({
            code: 'store-failed',
            message: expect.stringContaining('no readable head'),
          })
      })

      it('a record that cannot be read is passed over and counted; the rest is there', async () => {
        const { damage, found, contents } = await damaged((db) =>
          db.exec(`UPDATE suture_record SET body = '{"message":' WHERE seq = 2`),
        )
        expect([damage, found, contents]).toEqual([[{ seq: 2, what: 'unreadable' }], [2], ['one', 'two', '2', 'three']])
      })
    })

    describe('a bit turned in the journal of a file that was not closed', () => {
      /** Ten commits in a journal, as a crash leaves it, with one bit turned; where the frames of each begin. */
      const crashed = async (place: (journal: Buffer) => number) => {
        const [file, left] = [newFile(), newFile()]
        const store = await sqliteStore(open(file))
        const session = await openSession(store, 's', options)
        for (let i = 0; i < 10; i++) await session.append([user(`${i} ${'x'.repeat(500)}`)])
        const journal = readFileSync(`${file}-wal`)
        copyFileSync(file, left)
        await store.close()
        const at = place(journal)
        if (at >= 0) journal[at]! ^= 4
        writeFileSync(`${left}-wal`, journal)
        return left
      }
      const frame = 24 + 8192
      const lastFrame = (journal: Buffer) => 32 + (Math.floor((journal.length - 32) / frame) - 1) * frame

      it.each([
        ['nowhere', () => -1, undefined],
        ['in the header', () => 18, 'store-failed'],
        ['in the salt of a frame', () => 32 + 12 * frame + 9, 'store-failed'],
        ['in the sum of a frame', () => 32 + 12 * frame + 17, 'store-failed'],
        ['in a page', () => 32 + 12 * frame + 4000, 'store-failed'],
        ['in the last commit, as a power cut could leave it', lastFrame, undefined],
      ])('%s', async (_where, place, code) => {
        const file = await crashed(place as (journal: Buffer) => number)
        const opening = sqliteStore(open(file))
        if (code) await expect(opening).rejects.toMatchObject({ code, detail: { file } })
        else await (await opening).close()
      })

      it('is ignored if it is accepted, or if commits are not synced one by one', async () => {
        const file = await crashed(() => 32 + 12 * frame + 4000)
        const copy = newFile()
        for (const end of ['', '-wal']) copyFileSync(file + end, copy + end)
        await (await sqliteStore(open(copy), { synchronous: 'normal' })).close()
        const accepted = await sqliteStore(open(file), { damagedJournal: 'accept' })
        const session = await openSession(accepted, 's', options)
        expect(session.head).toBeLessThan(10)
        expect(await session.verify()).toMatchObject({ valid: true })
        await accepted.append('s', { op: 'on', expectedHead: 'any', drafts: [] })
        const second = await sqliteStore(open(file))
        await Promise.all([second.close(), accepted.close()])
      })
    })
  })
