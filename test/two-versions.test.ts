/**
 * Two versions on one database, as during a rollout: the older one is a process that runs when the newer one starts.
 * A later schema, and a later record in one session, are rejected by name; nothing is read wrongly and nothing is
 * overwritten.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres } from './postgres.ts'
import { type Built, builtWith, type Change, type Worker } from './two-versions.ts'

/** The later version knows one mark more, and says so in it. */
const LATER_RECORDS: readonly Change[] = [
  ['session/record.ts', 'export const RECORD_VERSION = 1', 'export const RECORD_VERSION = 2'],
  [
    'session/session-writer.ts',
    "{ kind: 'mark', body: encode(body) }",
    "{ kind: 'mark', body: encode({ version: 2, ...body }) }",
  ],
]

/** It also has one more column, as a migration may add. */
const LATER_SCHEMA: readonly Change[] = [
  withStep('stores/postgres-sql.ts', 'ALTER TABLE suture_head ADD COLUMN title text;'),
]

const LATER_FILE: readonly Change[] = [
  withStep('stores/sqlite-schema.ts', 'ALTER TABLE suture_session ADD COLUMN title TEXT'),
]

const BROKEN_FILE: readonly Change[] = [
  withStep('stores/sqlite-schema.ts', 'ALTER TABLE suture_session ADD COLUMN title TEXT; DROP TABLE never_there'),
]

/** One more step of the schema: today there are none. */
function withStep(file: string, sql: string): Change {
  return [file, 'const STEPS: readonly string[] = []', `const STEPS: readonly string[] = [${JSON.stringify(sql)}]`]
}

const user = (content: string) => ({ role: 'user', content })

const server = await startPostgres()
const running = typeof server === 'string' ? undefined : server
const title = typeof server === 'string' ? `PostgreSQL (skipped: ${server})` : `PostgreSQL from ${server.from}`

afterAll(() => running?.stop())

describe.skipIf(!running)(title, () => {
  let today: Built
  let laterRecords: Built
  let laterSchema: Built
  let admin: pg.Pool
  let databases = 0
  let url = ''
  const workers: Worker[] = []

  beforeAll(async () => {
    ;[today, laterRecords, laterSchema] = await Promise.all([
      builtWith([]),
      builtWith(LATER_RECORDS),
      builtWith([...LATER_RECORDS, ...LATER_SCHEMA]),
    ])
    admin = new pg.Pool({ connectionString: running!.url, max: 1 })
  })

  beforeEach(async () => {
    const name = `versions_${databases++}`
    await admin.query(`CREATE DATABASE ${name}`)
    url = running!.url.replace(/\/[^/]*$/, `/${name}`)
  })

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end()))
    await admin.end()
    for (const built of [today, laterRecords, laterSchema]) built.remove()
  })

  async function opened(built: Built, id = 's'): Promise<Worker> {
    const worker = built.start()
    workers.push(worker)
    expect(await worker.ask('open', url, id, { provider: 'openai' })).toHaveProperty('ok')
    return worker
  }

  async function rows(): Promise<unknown> {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const found = await pool.query('SELECT session, seq, op, body FROM suture_record ORDER BY session, seq')
    const heads = await pool.query('SELECT session, head, hash, owner FROM suture_head ORDER BY session')
    await pool.end()
    return [found.rows, heads.rows]
  }

  describe('a later schema', () => {
    const names = /schema 2, .* knows 1\. Update suture/

    it('the older process that runs already gets store-newer for everything it asks, and changes nothing', async () => {
      const old = await opened(today)
      await old.ask('append', [user('from the old one')])
      await old.ask('claim', 'old')
      const next = await opened(laterSchema, 'other')
      const before = await rows()
      for (const command of [
        ['append', [user('x')]],
        ['append', [user('x')], { expectedHead: 'any' }],
        ['append', [user('x'), user('y')], { expectedHead: 'any' }],
        ['refresh'],
        ['claim', 'old'],
        ['release'],
        ['forget'],
      ])
        expect(await old.ask(...command), String(command[0])).toMatchObject({
          error: 'store-newer',
          message: expect.stringMatching(names),
        })
      expect(await rows()).toEqual(before)
      expect(await next.ask('append', [user('from the new one')])).toHaveProperty('ok')
    })

    it('an older process that starts is rejected by name, and the newer one keeps working', async () => {
      const next = await opened(laterSchema)
      await next.ask('append', [user('one')])
      const old = today.start()
      workers.push(old)
      expect(await old.ask('open', url, 's', { provider: 'openai' })).toMatchObject({
        error: 'store-newer',
        message: expect.stringMatching(names),
      })
      await next.ask('append', [user('two')])
      expect(await next.ask('raw')).toEqual({ n: 2 + 1, ok: [user('one'), user('two')] })
      expect(await next.ask('verify')).toMatchObject({ ok: { valid: true, records: 2 } })
    })

    it('the newer one reads and continues what the older one wrote before', async () => {
      const old = await opened(today)
      await old.ask('append', [user('one')])
      const next = await opened(laterSchema)
      await next.ask('append', [user('two')])
      expect(await next.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
      expect(await next.ask('verify')).toMatchObject({ ok: { valid: true, records: 2 } })
    })
  })

  describe('a later record in one session, the same schema', () => {
    const names = /Session s has a record of version 2 at position 2, .* reads version 1\. Update suture/
    const rejected = { error: 'store-newer', message: expect.stringMatching(names) }

    /** A session that begins with a message of the older one, and a record that only the newer one reads. */
    async function withLaterRecord(): Promise<{ readonly old: Worker; readonly next: Worker }> {
      const old = await opened(today)
      await old.ask('append', [user('one')])
      const next = await opened(laterRecords)
      await next.ask('mark', 'note', 'of a later version')
      return { old, next }
    }

    it('both work side by side as long as no later record is in the session', async () => {
      const old = await opened(today)
      const next = await opened(laterRecords)
      await next.ask('append', [user('one')], { expectedHead: 'any' })
      await old.ask('append', [user('two')], { expectedHead: 'any' })
      for (const worker of [old, next]) {
        await worker.ask('refresh')
        expect(await worker.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
      }
    })

    it('the older one names both versions, and other sessions stay usable', async () => {
      const { old, next } = await withLaterRecord()
      const before = await rows()
      expect(await old.ask('append', [user('x')])).toMatchObject({ error: 'conflict' })
      expect(await old.ask('append', [user('x')], { expectedHead: 'results' })).toMatchObject(rejected)
      expect(await old.ask('refresh')).toMatchObject(rejected)
      expect(await old.ask('abort', {})).toMatchObject({ ok: null })
      expect(await old.ask('raw')).toMatchObject({ ok: [user('one')] })
      expect(await rows()).toEqual(before)
      const again = today.start()
      workers.push(again)
      expect(await again.ask('open', url, 's', { provider: 'openai' })).toMatchObject(rejected)
      expect(await again.ask('open', url, 'another', { provider: 'openai' })).toHaveProperty('ok')
      expect(await again.ask('append', [user('elsewhere')])).toHaveProperty('ok')
      expect(await next.ask('append', [user('two')])).toHaveProperty('ok')
      expect(await next.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
    })

    it('an append of the older one "wherever it ends" is stored once, reports it, and the newer one reads it', async () => {
      const { old, next } = await withLaterRecord()
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await old.ask('append', [user('two')], { expectedHead: 'any', operationId: 'x' })).toMatchObject({
          error: 'store-newer',
          message: expect.stringMatching(
            /version 2 at position 2.* The operation x is stored after it; do not repeat it/,
          ),
        })
      await next.ask('refresh')
      expect(await next.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
      expect(await next.ask('verify')).toMatchObject({ ok: { valid: true, records: 3 } })
    })

    it('a snapshot of a later version is not read as one of this', async () => {
      const old = await opened(today)
      await old.ask('append', [user('one')])
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      await pool.query(`INSERT INTO suture_record (session, seq, kind, op, part, body, hash)
        VALUES ('s', 2, 'snapshot', 'x', 0, '{"version":2,"state":{"line":{"spans":[],"count":0,"overlays":[]}},"tail":0}', '')`)
      await pool.query(`UPDATE suture_head SET head = 2, snapshot = 2 WHERE session = 's'`)
      await pool.end()
      const again = today.start()
      workers.push(again)
      expect(await again.ask('open', url, 's', { provider: 'openai' })).toMatchObject(rejected)
    })
  })
})

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'suture-versions-'))
  const address = `sqlite:${join(folder, 's.db')}`
  let today: Built
  let later: Built
  let broken: Built
  const workers: Worker[] = []

  beforeAll(async () => {
    ;[today, later, broken] = await Promise.all([builtWith([]), builtWith(LATER_FILE), builtWith(BROKEN_FILE)])
  })

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end()))
    for (const built of [today, later, broken]) built.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('a process that has the file open when a newer one migrates it gets store-newer, and changes nothing', async () => {
    const [old, next] = [today.start(), later.start()]
    workers.push(old, next)
    await old.ask('open', address, 's', { provider: 'openai' })
    await old.ask('append', [user('one')])
    await old.ask('claim', 'old')
    expect(await next.ask('open', address, 's', { provider: 'openai' })).toHaveProperty('ok')
    for (const command of [
      ['append', [user('x')], { expectedHead: 'any' }],
      ['refresh'],
      ['claim', 'old'],
      ['release'],
      ['forget'],
    ])
      expect(await old.ask(...command), String(command[0])).toMatchObject({
        error: 'store-newer',
        message: expect.stringMatching(/schema 2, .* knows 1\. Update suture/),
      })
    await next.ask('claim', 'next', { takeOver: true })
    expect(await next.ask('append', [user('two')])).toHaveProperty('ok')
    expect(await next.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
    expect(await next.ask('verify')).toMatchObject({ ok: { valid: true, records: 2 } })
  })

  /** A session of one message, written by today's version. */
  async function writtenToday(name: string): Promise<string> {
    const at = `sqlite:${join(folder, name)}`
    const worker = today.start()
    await worker.ask('open', at, 's', { provider: 'openai' })
    await worker.ask('append', [user('one')])
    await worker.end()
    return at
  }

  it('several newer processes that start at once migrate once, with all that was stored', async () => {
    const at = await writtenToday('at-once.db')
    const started = Array.from({ length: 4 }, () => later.start())
    workers.push(...started)
    const opened = await Promise.all(started.map((worker) => worker.ask('open', at, 's', { provider: 'openai' })))
    for (const one of opened) expect(one).toMatchObject({ ok: { head: 1 } })
    expect(await started[0]!.ask('append', [user('two')])).toHaveProperty('ok')
    expect(await started[0]!.ask('raw')).toMatchObject({ ok: [user('one'), user('two')] })
    expect(await started[0]!.ask('verify')).toMatchObject({ ok: { valid: true, records: 2 } })
  })

  it('a step that fails leaves the file as it was', async () => {
    const at = await writtenToday('broken.db')
    const [next, old] = [broken.start(), today.start()]
    workers.push(next, old)
    expect(await next.ask('open', at, 's', { provider: 'openai' })).toMatchObject({ error: 'store-failed' })
    expect(await old.ask('open', at, 's', { provider: 'openai' })).toHaveProperty('ok')
    expect(await old.ask('append', [user('two')])).toHaveProperty('ok')
    expect(await old.ask('verify')).toMatchObject({ ok: { valid: true, records: 2 } })
  })
})
