/**
 * A file that is deleted or replaced while a store has it open: nothing is acknowledged that would be lost, and the
 * path can be opened again.
 */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { openSession } from '../session.ts'
import { type SqliteOptions, sqliteStore } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-sqlite-identity-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai' } as const
const user = (content: string) => ({ role: 'user', content })
const gone = { code: 'store-failed', message: expect.stringContaining('deleted or replaced while it was open') }

const harms: Readonly<Record<string, (file: string) => void>> = {
  'the file and its journal are deleted': (file) => {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  },
  'the file is deleted': (file) => rmSync(file),
  'the file is moved away': (file) => renameSync(file, `${file}.moved`),
  'another file is put in its place': (file) => {
    copyFileSync(file, `${file}.other`)
    renameSync(`${file}.other`, file)
  },
}

for (const { name, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(name, () => {
    describe.each(['wal', 'delete'] as const)('journal: %s', (journal) => {
      const how: SqliteOptions = { journal }

      it.each(Object.keys(harms))('%s: nothing is acknowledged, and opening it again works', async (harm) => {
        const file = newFile()
        const store = await sqliteStore(open(file), how)
        const session = await openSession(store, 's', options)
        await session.append([user('one')])
        harms[harm]!(file)
        await expect(session.append([user('two')])).rejects.toMatchObject(gone)
        await expect(store.head('s')).rejects.toMatchObject(gone)
        expect(await session.raw()).toEqual([user('one')])
        await store.close()
        const again = await sqliteStore(open(file), how)
        const reopened = await openSession(again, 's', options)
        await reopened.append([user('three')])
        expect((await reopened.raw()).at(-1)).toEqual(user('three'))
        await again.close()
      })

      it('after it was put back, the store continues', async () => {
        const file = newFile()
        const store = await sqliteStore(open(file), how)
        const session = await openSession(store, 's', options)
        await session.append([user('one')])
        renameSync(file, `${file}.moved`)
        await expect(session.append([user('two')])).rejects.toMatchObject(gone)
        renameSync(`${file}.moved`, file)
        await session.append([user('two')])
        expect((await session.raw()).length).toBe(2)
        await store.close()
      })
    })

    it('a journal that is deleted: its commits would be lost', async () => {
      const file = newFile()
      const store = await sqliteStore(open(file))
      const session = await openSession(store, 's', options)
      await session.append([user('one')])
      expect(existsSync(`${file}-wal`)).toBe(true)
      rmSync(`${file}-wal`)
      await expect(session.append([user('two')])).rejects.toMatchObject(gone)
      await store.close()
    })

    it('replaced inside a transaction: the commit is not acknowledged', async () => {
      const file = newFile()
      const db = open(file)
      let armed = false
      const prepare = db.prepare.bind(db)
      const handle = new Proxy(db, {
        get: (target, key) => {
          if (key !== 'prepare') return bound(target, key)
          return (sql: string) => {
            const statement = prepare(sql)
            if (sql !== 'COMMIT') return statement
            return {
              run: () => {
                if (armed) rmSync(file)
                return statement.run()
              },
              get: () => undefined,
              all: () => [],
            }
          }
        },
      })
      const store = await sqliteStore(handle)
      const session = await openSession(store, 's', options)
      await session.append([user('one')])
      armed = true
      await expect(session.append([user('two')])).rejects.toMatchObject({ code: 'unknown-outcome' })
      await store.close()
    })
  })

function bound(target: object, key: string | symbol): unknown {
  const value = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}
