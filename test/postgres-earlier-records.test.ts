/**
 * Sessions in PostgreSQL that an earlier version wrote (schema 1) open, verify, continue and undo.
 * The fixture has the rows of that version, and what it returned for them.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderId } from '../src/index.ts'
import { openSession, type Session } from '../src/session.ts'
import { postgresStore } from '../src/stores/postgres.ts'
import { MIGRATE } from '../src/stores/postgres-sql.ts'
import { startPostgres } from './postgres.ts'

interface Expected {
  readonly provider: ProviderId
  readonly head: number
  readonly raw: readonly unknown[]
  readonly history: readonly unknown[]
  /** Ids of the calls without a result. */
  readonly open: readonly string[]
  readonly turns: number
  readonly kinds: Readonly<Record<string, number>>
  /** The history after one `undo()`; absent if there is nothing to undo. */
  readonly afterUndo?: readonly unknown[]
}

interface Fixture {
  readonly heads: readonly object[]
  readonly records: readonly object[]
  readonly expected: Readonly<Record<string, Expected>>
}

const file = new URL('./crash/fixtures/postgres-1.json', import.meta.url)
const { heads, records, expected } = JSON.parse(readFileSync(file, 'utf8')) as Fixture

const server = await startPostgres()
const running = typeof server === 'string' ? undefined : server
const title = typeof server === 'string' ? `PostgreSQL (skipped: ${server})` : `PostgreSQL from ${server.from}`

afterAll(() => running?.stop())

describe.skipIf(!running)(title, () => {
  let pool: pg.Pool

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: running!.url, max: 2 })
    await pool.query(MIGRATE)
  })

  afterAll(() => pool.end())

  async function load(): Promise<void> {
    await pool.query('TRUNCATE suture_head, suture_record')
    for (const [table, rows] of [
      ['suture_head', heads],
      ['suture_record', records],
    ] as const)
      await pool.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        JSON.stringify(rows),
      ])
  }

  async function open(id: string): Promise<Session> {
    await load()
    return openSession(await postgresStore(pool), id, { provider: expected[id]!.provider })
  }

  it('the fixture has every kind of record', () => {
    const kinds = new Set(Object.values(expected).flatMap(({ kinds }) => Object.keys(kinds)))
    expect([...kinds].sort()).toEqual(['mark', 'message', 'patch', 'snapshot'])
  })

  describe.each(Object.keys(expected))('session "%s"', (id) => {
    it('gives the messages and the history that it gave before', async () => {
      const session = await open(id)
      const { head, raw, history, open: calls, turns, kinds } = expected[id]!
      expect(session.head).toBe(head)
      expect(session.found.open.map(({ id }) => id)).toEqual(calls)
      expect(await session.raw()).toEqual(raw)
      expect(await session.history()).toEqual(history)
      expect(await session.turns()).toHaveLength(turns)
      const found: Record<string, number> = {}
      for await (const { kind } of session.records()) found[kind] = (found[kind] ?? 0) + 1
      expect(found).toEqual(kinds)
      expect(await session.verify()).toMatchObject({ valid: true, records: head })
    })

    it('undoes what it could undo before', async () => {
      const session = await open(id)
      const { afterUndo } = expected[id]!
      if (afterUndo) {
        await session.undo()
        expect(await session.history()).toEqual(afterUndo)
      } else await expect(session.undo()).rejects.toMatchObject({ code: 'nothing-to-undo' })
      expect(await session.verify()).toMatchObject({ valid: true })
    })

    it('continues', async () => {
      const session = await open(id)
      const next = { role: 'user', content: 'next' }
      await session.append([next])
      expect((await session.raw()).at(-1)).toEqual(next)
      expect((await session.raw()).slice(0, expected[id]!.raw.length)).toEqual(expected[id]!.raw)
      expect(await session.verify()).toMatchObject({ valid: true })
    })
  })
})
