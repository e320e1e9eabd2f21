/**
 * Sessions as ratios to the database below them, in one run. The two sides take turns, ten of each at a time.
 * Usage: npm run bench:session -- [--only sqlite|growth|postgres]
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openSession, type Session, type Store } from '../src/session.ts'
import { postgresStore } from '../src/stores/postgres.ts'
import { sqliteStore } from '../src/stores/sqlite.ts'
import { startPostgres } from '../test/postgres.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'suture-bench-'))
const options = { provider: 'openai' } as const
const text = 'x'.repeat(2000)

try {
  if (!values.only || values.only === 'sqlite') for (const mode of ['full', 'normal'] as const) await appends(mode)
  if (!values.only || values.only === 'growth') await growth()
  if (!values.only || values.only === 'postgres') await postgres()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function message(i: number) {
  return { role: i % 2 ? 'assistant' : 'user', content: `${i} ${text}` }
}

/** An append of one message of 2 KB against a bare prepared insert, same driver, same durability. */
async function appends(mode: 'full' | 'normal'): Promise<void> {
  const bare = new Database(join(folder, `bare-${mode}.db`))
  bare.pragma('page_size = 8192')
  bare.pragma('journal_mode = WAL')
  bare.pragma(`synchronous = ${mode}`)
  bare.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, session TEXT, seq INTEGER, body TEXT)')
  const insert = bare.prepare('INSERT INTO t (session, seq, body) VALUES (?, ?, ?)')
  const store = await sqliteStore(new Database(join(folder, `ours-${mode}.db`)), { synchronous: mode })
  const session = await openSession(store, 's', options)
  let n = 0
  const ratio = await compare(
    150,
    async () => void insert.run('s', n, JSON.stringify(message(n++))),
    async () => void (await session.append([message(n++)])),
  )
  console.log(`sqlite ${mode}: append of 2 KB ${ratio.text} (${mode === 'full' ? 'bar: 0.60' : 'no bar'})`)
  bare.close()
  await store.close()
}

/** Cost of an append and of opening at 100,000 entries against 1,000. */
async function growth(): Promise<void> {
  const store = await sqliteStore(new Database(join(folder, 'growth.db')), { synchronous: 'normal' })
  const small = await filled(store, 'small', 1000)
  const large = await filled(store, 'large', 100_000)
  let n = 0
  const append = await compare(
    150,
    async () => void (await large.append([message(n++)])),
    async () => void (await small.append([message(n++)])),
  )
  console.log(`growth: append at 100,000 entries costs ${append.ratio.toFixed(2)} x that at 1,000 (bar: 1.30)`)
  const opening = await compare(
    10,
    async () => void (await openSession(store, 'large', options)),
    async () => void (await openSession(store, 'small', options)),
  )
  console.log(
    `growth: opening 100,000 entries with a snapshot takes ${opening.ratio.toFixed(2)} x opening 1,000 (bar: 3.00)`,
  )
  await store.close()
}

async function filled(store: Store, id: string, count: number): Promise<Session> {
  const session = await openSession(store, id, options)
  for (let i = 0; i < count; i += 200) await session.append(Array.from({ length: 200 }, (_, k) => message(i + k)))
  return session
}

/**
 * Sixteen sessions at once through one process, against bare inserts through the same pool.
 * What a store on a pool gives by itself is what the bar is for: statements by name, here on both sides.
 */
async function postgres(): Promise<void> {
  const server = await startPostgres()
  if (typeof server === 'string') return console.log(`postgres: skipped, ${server}`)
  const pool = new pg.Pool({ connectionString: server.url, max: 16 })
  pool.on('error', () => {})
  try {
    await pool.query('CREATE TABLE bare (id bigserial PRIMARY KEY, session text, seq bigint, body text)')
    for (const prepare of [true, false]) {
      const store = await postgresStore(pool, prepare ? {} : { prepare })
      const sessions = await Promise.all(Array.from({ length: 16 }, () => openSession(store, randomUUID(), options)))
      let n = 0
      const bare = (i: number) => {
        const plain = {
          text: 'INSERT INTO bare (session, seq, body) VALUES ($1, $2, $3)',
          values: [`s${i}`, n, JSON.stringify(message(n++))],
        }
        return pool.query(prepare ? { ...plain, name: 'bare' } : plain)
      }
      const ratio = await compare(
        15,
        async () => void (await Promise.all(sessions.map((_, i) => bare(i)))),
        async () => void (await Promise.all(sessions.map((session) => session.append([message(n++)])))),
      )
      const how = prepare ? 'as it comes' : 'prepare: false, for poolers'
      console.log(`postgres, ${how}: 16 sessions at once ${ratio.text} (${prepare ? 'bar: 0.50' : 'no bar'})`)
    }
  } finally {
    await pool.end()
    await server.stop()
  }
}

/**
 * How fast the second is against the first: in turn, ten of each at a time; of all times the lowest tenth ends the
 * measure: a busy machine blurs it least.
 */
async function compare(
  times: number,
  first: () => Promise<void>,
  second: () => Promise<void>,
): Promise<{ ratio: number; text: string }> {
  const [one, two]: [number[], number[]] = [[], []]
  for (let i = 0; i < times; i++) {
    await timed(first, one)
    await timed(second, two)
  }
  const [a, b] = [tenth(one), tenth(two)]
  const ratio = a / b
  return {
    ratio,
    text: `at ${ratio.toFixed(2)} x the bare insert (${(a * 1000).toFixed(0)} µs bare, ${(b * 1000).toFixed(0)} µs ours)`,
  }
}

async function timed(work: () => Promise<void>, times: number[]): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
}

function tenth(times: number[]): number {
  return times.sort((x, y) => x - y)[Math.floor(times.length / 10)]!
}
