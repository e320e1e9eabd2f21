/**
 * The PostgreSQL store on a real server: the suite, many writers, a server that dies and comes back, migrations at
 * once.
 */
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { type Postgres, startPostgres } from '../../test/postgres.ts'
import { openSession, openStore, type Store } from '../session.ts'
import { testStore } from '../testing/index.ts'
import { postgresStore } from './postgres.ts'
import { LOCK } from './postgres-sql.ts'

const server = await startPostgres()
const running = typeof server === 'string' ? undefined : server
const title = typeof server === 'string' ? `PostgreSQL (skipped: ${server})` : `PostgreSQL from ${server.from}`

afterAll(() => running?.stop())

describe.skipIf(!running)(title, () => {
  const { url } = running ?? { url: '' }

  it('several that start at once migrate once', async () => {
    const pools = Array.from({ length: 6 }, () => quiet(new pg.Pool({ connectionString: url, max: 2 })))
    const stores = await Promise.all(pools.map((pool) => postgresStore(pool)))
    const { rows } = await pools[0]!.query('SELECT version FROM suture_schema')
    expect(rows).toEqual([{ version: 1 }])
    await Promise.all(stores.map((store) => store.close()))
  })

  it('a migration that is interrupted leaves no traces, and the next one is complete', async () => {
    const admin = quiet(new pg.Pool({ connectionString: url, max: 1 }))
    await admin.query('CREATE DATABASE interrupted')
    const pool = quiet(new pg.Pool({ connectionString: url.replace(/\/[^/]*$/, '/interrupted'), max: 3 }))
    // In the way of its last table, so that it fails with the first ones made.
    await pool.query('CREATE TABLE suture_record (other integer)')
    await expect(postgresStore(pool)).rejects.toMatchObject({ code: 'store-failed', detail: { code: '42P07' } })
    const { rows } = await pool.query("SELECT relname FROM pg_class WHERE relname IN ('suture_schema', 'suture_head')")
    expect(rows).toEqual([])
    await pool.query('DROP TABLE suture_record')
    await killedWhileWaiting(pool)
    const session = await openSession(await postgresStore(pool), 's', { provider: 'openai' })
    await session.append([{ role: 'user', content: 'one' }])
    expect(await session.verify()).toMatchObject({ valid: true, records: 1 })
    await Promise.all([pool.end(), admin.end()])
  })

  testStore('PostgreSQL', { open: () => openStore(url, { prepare: false }) })
  testStore('PostgreSQL, prepared', { open: () => openStore(url) })

  it('eight writers on one session: every position once, every batch whole', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(url)))
    const sessions = await Promise.all(stores.map((store) => openSession(store, 'eight', { provider: 'openai' })))
    const writer = async (index: number) => {
      const positions: number[] = []
      for (let i = 0; i < 25; i++) {
        const messages = [`${index} ${i} a`, `${index} ${i} b`].map((content) => ({ role: 'user', content }))
        positions.push(...(await sessions[index]!.append(messages, { expectedHead: 'any' })).positions)
      }
      return positions
    }
    const positions = (await Promise.all(sessions.map((_session, i) => writer(i)))).flat()
    expect(new Set(positions).size).toBe(400)
    const reader = await openSession(stores[0]!, 'eight', { provider: 'openai' })
    const messages = (await reader.raw()) as { content: string }[]
    expect(messages).toHaveLength(400)
    for (let i = 0; i < 400; i += 2)
      expect(messages[i + 1]!.content.slice(0, -1)).toBe(messages[i]!.content.slice(0, -1))
    expect(await reader.verify()).toMatchObject({ valid: true })
    await Promise.all(stores.map((store) => store.close()))
  })

  it('the server dies and returns: the original error, nothing lost, and the same operation is stored once', async () => {
    const pool = quiet(new pg.Pool({ connectionString: url, max: 2 }))
    const store = await postgresStore(pool)
    const session = await openSession(store, 'death', { provider: 'openai' })
    await session.append([{ role: 'user', content: 'before' }])
    await (running as Postgres).kill()
    const failure = await session
      .append([{ role: 'user', content: 'during' }], { operationId: 'x' })
      .catch((error) => error)
    expect(['store-failed', 'unknown-outcome']).toContain(failure.code)
    expect(failure.cause).toBeInstanceOf(Error)
    expect(await session.raw()).toHaveLength(1)
    await (running as Postgres).start()
    await retried(() => session.append([{ role: 'user', content: 'during' }], { operationId: 'x' }))
    const reader = await openSession(store, 'death', { provider: 'openai' })
    expect(await reader.raw()).toEqual([
      { role: 'user', content: 'before' },
      { role: 'user', content: 'during' },
    ])
    await store.close()
  })

  it('a connection cut after the statement was sent: unknown, and the retry gives the first answer', async () => {
    const pool = quiet(new pg.Pool({ connectionString: url }))
    let cutting = false
    const cut: Store = await postgresStore({
      query: async (text, values) => {
        const answer = await pool.query(text, values)
        if (cutting && text.includes('INSERT INTO suture_record'))
          throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
        return answer
      },
    })
    const session = await openSession(cut, 'cut', { provider: 'openai' })
    await session.append([{ role: 'user', content: 'one' }])
    cutting = true
    const message = [{ role: 'user', content: 'two' }]
    await expect(session.append(message, { operationId: 'x' })).rejects.toMatchObject({
      code: 'unknown-outcome',
      detail: { operationId: 'x' },
    })
    expect(session.head).toBe(1)
    cutting = false
    expect(await session.append(message, { operationId: 'x' })).toEqual({ positions: [2], head: 2, again: true })
    expect(await session.raw()).toHaveLength(2)
    await pool.end()
  })

  it('a newer schema is rejected with a message', async () => {
    const pool = quiet(new pg.Pool({ connectionString: url }))
    await postgresStore(pool)
    await pool.query('INSERT INTO suture_schema (version) VALUES (99)')
    await expect(postgresStore(pool)).rejects.toMatchObject({ code: 'store-newer', detail: { found: 99, known: 1 } })
    await pool.query('DELETE FROM suture_schema WHERE version = 99')
    await pool.end()
  })
})

/** A migration whose connection is ended by the server while it waits for another one. */
async function killedWhileWaiting(pool: pg.Pool): Promise<void> {
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  const migration = postgresStore(pool).catch((error) => error)
  await retried(async () => {
    const { rowCount } = await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()",
    )
    if (!rowCount) throw new Error('no one waits yet')
  })
  expect(await migration).toMatchObject({ code: 'store-failed', cause: expect.any(Error) })
  await holder.query('ROLLBACK')
  holder.release()
}

/** Idle clients of a server that dies are expected here. */
function quiet(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => {})
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}
