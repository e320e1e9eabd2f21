/**
 * The SQLite store where things go wrong, with each driver: every statement fails once, the disk is full, others hold the lock, the handle is gone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteDrivers } from '../../test/sqlite-drivers.ts'
import { openSession, type Session, type Store } from '../session-door.ts'
import { type SqliteHandle, sqliteStore } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const options = { provider: 'openai' }
const user = (content: string) => ({ role: 'user', content })
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
}

/** A handle whose nth statement fails, before or after it was done. */
class Faulty {
  left = Number.POSITIVE_INFINITY
  after = false
  code = 'SQLITE_IOERR'
  readonly handle: SqliteHandle
  readonly db: SqliteHandle

  constructor(db: SqliteHandle) {
    this.db = db
    const guarded =
      <A extends unknown[], R>(work: (...values: A) => R) =>
      (...values: A): R =>
        this.run(() => work(...values))
    this.handle = {
      exec: guarded((sql: string) => db.exec(sql)),
      prepare: (sql) => {
        const statement = db.prepare(sql)
        return {
          run: guarded((...values: unknown[]) => statement.run(...values)),
          get: guarded((...values: unknown[]) => statement.get(...values)),
          all: guarded((...values: unknown[]) => statement.all(...values)),
        }
      },
      close: () => db.close(),
      get inTransaction() {
        return db.inTransaction ?? db.isTransaction ?? false
      },
    }
  }

  private run<T>(work: () => T): T {
    const fails = --this.left === 0
    const error = Object.assign(new Error(`injected ${this.code}`), { code: this.code })
    if (fails && !this.after) throw error
    const outcome = work()
    if (fails) throw error
    return outcome
  }
}

const operations: Readonly<Record<string, (session: Session, op: string) => Promise<unknown>>> = {
  append: (session, operationId) =>
    session.append([user('new'), { role: 'assistant', content: 'yes' }], { operationId }),
  'append that closes a call': (session, operationId) => session.append([user('on')], { operationId }),
  revert: (session, operationId) => session.revert(2, { operationId }),
  abort: (session, operationId) => session.abort({ operationId }),
  propose: (session, operationId) => session.append([user('new')], { operationId, proposed: true }),
  fork: (session, operationId) => session.fork(1, 'branch', { operationId }),
  replace: async (session, operationId) => {
    const { history, upTo, prefixHash } = seen.get(session) ?? (await session.view())
    seen.set(session, { history, upTo, prefixHash })
    const patch = [
      { op: 'splice', path: [], index: 0, remove: history.slice(0, 2), insert: [user('summary')] },
    ] as const
    return session.replace(patch, { by: 't', why: 't', upTo, prefixHash, operationId })
  },
}
const seen = new WeakMap<Session, { history: readonly unknown[]; upTo: number; prefixHash: string }>()

async function prepared(faulty: Faulty): Promise<{ store: Store; session: Session }> {
  const store = await sqliteStore(faulty.handle, { synchronous: 'normal' })
  const session = await openSession(store, 's', options)
  await session.append([user('one'), { role: 'assistant', content: '1' }])
  await session.append([user('two'), call])
  return { store, session }
}

for (const { name: driver, missing, open } of sqliteDrivers)
  describe.skipIf(missing !== undefined)(driver, () => {
    describe.each([
      ['fails', false],
      ['fails after it was done', true],
    ])('every statement %s once', (_how, after) => {
      it.each(Object.keys(operations))('%s', async (name) => {
        let points = 0
        for (let n = 1; ; n++) {
          const faulty = new Faulty(open(newFile()))
          const { store, session } = await prepared(faulty)
          if (name === 'replace') await operations['replace']!(session, 'never').catch(() => {})
          if (name === 'replace') await session.undo()
          if (name === 'replace') seen.set(session, await session.view())
          const before = JSON.stringify([session.head, await session.raw(), await session.history()])
          faulty.after = after
          faulty.left = n
          const outcome = await operations[name]!(session, 'x').then(
            () => undefined,
            (error: unknown) => error as { code: string; cause?: Error },
          )
          faulty.left = Number.POSITIVE_INFINITY
          if (outcome === undefined) {
            await store.close()
            break
          }
          points++
          expect(['store-failed', 'unknown-outcome']).toContain(outcome.code)
          expect(outcome.cause?.message).toBe('injected SQLITE_IOERR')
          if (name !== 'fork')
            expect(JSON.stringify([session.head, await session.raw(), await session.history()])).toBe(before)
          await operations[name]!(session, 'x')
          await operations[name]!(session, 'x')
          const reader = await openSession(store, name === 'fork' ? 'branch' : 's', options)
          expect(await reader.verify()).toMatchObject({ sound: true })
          const ops = (await store.read(reader.id, 1, 99)).filter((entry) => entry.op === 'x' && entry.part === 0)
          expect(ops).toHaveLength(1)
          await store.close()
        }
        expect(points).toBeGreaterThan(3)
      })
    })

    it('a migration that breaks off at any statement leaves a file that opens', async () => {
      for (const after of [false, true]) {
        for (let n = 1; ; n++) {
          const file = newFile()
          const faulty = new Faulty(open(file))
          faulty.after = after
          faulty.left = n
          const failure = await sqliteStore(faulty.handle).then(
            () => undefined,
            (error: { code: string }) => error.code,
          )
          expect([undefined, 'store-failed', 'unknown-outcome']).toContain(failure)
          faulty.db.close()
          const store = await sqliteStore(open(file))
          const session = await openSession(store, 's', options)
          await session.append([user('one')])
          expect(await session.verify()).toMatchObject({ sound: true, records: 1 })
          await store.close()
          if (!failure) break
        }
      }
    })

    it('several that start at once migrate once', async () => {
      const file = newFile()
      const stores = await Promise.all(Array.from({ length: 5 }, () => sqliteStore(open(file))))
      const db = open(file)
      expect(db.prepare('SELECT version FROM suture_schema').all()).toEqual([{ version: 1 }])
      db.close()
      await Promise.all(stores.map((store) => store.close()))
    })

    it('a full disk is the true error, loses nothing, and goes on when there is room', async () => {
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
      expect(await session.verify()).toMatchObject({ sound: true })
      await store.close()
    })

    it('waits for others without blocking, and gives up with a typed error', async () => {
      const file = newFile()
      const other = open(file)
      let clock = 0
      let onSleep = () => {}
      const store = await sqliteStore(open(file), {
        patience: 1000,
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
        detail: { patience: 1000 },
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
