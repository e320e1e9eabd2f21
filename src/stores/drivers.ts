/** Finds the driver of a database and opens it. The only place that names one. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSutureError, SutureError } from '../core/index.ts'
import type { Store } from '../session/index.ts'
import { type PostgresHandle, type PostgresOptions, postgresStore } from './postgres.ts'
import { type SqliteHandle, type SqliteOptions, sqliteStore } from './sqlite.ts'
import { isSafe } from './sqlite-file.ts'
import { cannotOpen, unusable } from './sqlite-open.ts'
import { wordsOf } from './store-errors.ts'

type Open = (file: string) => SqliteHandle

/** `node:sqlite` if it is available and new enough, otherwise better-sqlite3. */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Store> {
  const open = (await nodeDriver(options)) ?? (await packageDriver())
  const handle = opened(open, file)
  try {
    return await sqliteStore(handle, options)
  } catch (error) {
    handle.close()
    // A file that cannot be written fails only now.
    const code = isSutureError(error, 'store-failed') ? String(error.detail.code) : ''
    throw /^SQLITE_(READONLY|CANTOPEN)/.test(code) ? cannotOpen(file, error) : error
  }
}

function opened(open: Open, file: string): SqliteHandle {
  try {
    return open(file)
  } catch (error) {
    throw cannotOpen(file, error)
  }
}

/** Whether the SQLite in this Node is safe in WAL mode. */
export function nodeIsNewEnough(): boolean {
  const { sqlite } = process.versions as { sqlite?: string }
  return sqlite !== undefined && isSafe(sqlite)
}

/** Without WAL any version of SQLite is safe. */
async function nodeDriver({ journal }: SqliteOptions): Promise<Open | undefined> {
  if (journal !== 'delete' && !nodeIsNewEnough()) return undefined
  const name = 'node:sqlite'
  const found = await import(name).catch(() => undefined)
  return found && ((file) => new found.DatabaseSync(file))
}

async function packageDriver(): Promise<Open> {
  const name = 'better-sqlite3'
  try {
    const { default: Database } = await import(name)
    // The native part is loaded with the first database, so a missing one fails here.
    new Database(':memory:').close()
    return (file) => new Database(file)
  } catch (error) {
    throw new SutureError(
      'store-missing',
      `SQLite needs the package better-sqlite3, which could not be loaded (${wordsOf(error).split('\n')[0]}). Run: npm install better-sqlite3, or npm rebuild better-sqlite3 if it is installed (without a prebuilt binary this needs Python and a C++ compiler). Node 22.23 and later, with SQLite 3.51.3, do not need the package.`,
      {},
      { cause: error },
    )
  }
}

/** Whether the database can be used. It is not migrated: a gateway of an older version may be using it. */
export async function checkDatabase(address: string): Promise<void> {
  if (address.startsWith('sqlite:')) return checkFile(resolve(address.slice('sqlite:'.length)))
  const pool = await poolOf(address)
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    throw unreachable(address, { detail: error }) ?? error
  } finally {
    await pool.end?.()
  }
}

/** A file that does not exist is not created. */
async function checkFile(file: string): Promise<void> {
  const open = (await nodeDriver({})) ?? (await packageDriver())
  const why = unusable(file)
  if (why !== undefined) throw cannotOpen(file, new Error(why))
  if (!existsSync(file)) return
  const handle = opened(open, file)
  try {
    handle.prepare('SELECT count(*) AS tables FROM sqlite_master').get()
  } catch (error) {
    throw cannotOpen(file, error)
  } finally {
    handle.close()
  }
}

export async function openPostgres(address: string, options: PostgresOptions): Promise<Store> {
  const pool = await poolOf(address)
  try {
    return await postgresStore(pool, options)
  } catch (error) {
    await pool.end?.()
    throw unreachable(address, error) ?? error
  }
}

async function poolOf(address: string): Promise<PostgresHandle> {
  const name = 'pg'
  const found = await import(name).catch((error: unknown) => {
    throw new SutureError(
      'store-missing',
      `PostgreSQL needs the package pg, which could not be loaded (${wordsOf(error)}). Run: npm install pg`,
      {},
      { cause: error },
    )
  })
  const pool: PostgresHandle & { on(event: 'error', listener: () => void): unknown } = new (
    found.default?.Pool ?? found.Pool
  )({ connectionString: address })
  // An idle connection that breaks must not end the process; the next query gets a new connection, or the error.
  pool.on('error', () => {})
  return pool
}

/** Causes of connection errors: for a host with several addresses the error of `pg` has no message. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the server, or correct host and port.',
  ENOTFOUND: 'there is no such host. Correct the host in the address.',
  EAI_AGAIN: 'the host name cannot be resolved now. Check the network and the host in the address.',
  ENOENT: 'there is no such socket. Correct the host in the address.',
  ETIMEDOUT: 'it does not answer. Check the network and the host in the address.',
  EHOSTUNREACH: 'there is no route to that host. Check the network and the host in the address.',
  '28P01': 'the password or the user is wrong. Correct them in the address or in PGPASSWORD.',
  '28000': 'this user may not connect. Correct the user in the address, or allow it in pg_hba.conf.',
  '3D000': 'there is no such database. Create it first: createdb <name>',
}

function unreachable(address: string, cause: unknown): SutureError | undefined {
  const { detail = {} } = cause as SutureError<'store-failed'>
  const { code } = detail as { code?: string }
  // `pg` parses the address with the first query.
  if (code === 'ERR_INVALID_URL') return unreadable(cause)
  const why = UNREACHABLE[code ?? '']
  const message = `PostgreSQL at ${placeIn(address)} could not be used: ${why}`
  return why === undefined ? undefined : new SutureError('store-failed', message, detail, { cause })
}

function unreadable(cause: unknown): SutureError {
  return new SutureError(
    'bad-option',
    'The address of PostgreSQL cannot be read. Write postgres://<user>@<host>:<port>/<database>, with special characters of the password encoded (%40 for @).',
    {},
    { cause },
  )
}

/** Host, port and database, without user and password. */
function placeIn(address: string): string {
  const { host, pathname } = URL.canParse(address) ? new URL(address) : { host: '', pathname: '' }
  return host === '' && pathname === '' ? 'the address that was given' : `${host || 'its socket'}${pathname}`
}
