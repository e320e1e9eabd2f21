/**
 * Finds the driver of a database and opens it. The only place that names one.
 */
import { SutureError } from '../core/index.ts'
import type { Store } from '../session/index.ts'
import { failed, wordsOf } from './outcomes.ts'
import { type PostgresHandle, type PostgresOptions, postgresStore } from './postgres.ts'
import { type SqliteHandle, type SqliteOptions, sqliteStore } from './sqlite.ts'
import { codeOf } from './sqlite-errors.ts'
import { isSafe } from './sqlite-file.ts'

interface Pool {
  on(event: 'error', listener: () => void): unknown
}

type Open = (file: string) => SqliteHandle

/** node:sqlite where it is there and new enough, else better-sqlite3. */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Store> {
  const open = (await nodeDriver(options)) ?? (await packageDriver())
  const handle = opened(open, file)
  try {
    return await sqliteStore(handle, options)
  } catch (error) {
    handle.close()
    throw error
  }
}

function opened(open: Open, file: string): SqliteHandle {
  try {
    return open(file)
  } catch (error) {
    throw failed('sqlite', `open ${file}`, error, codeOf(error))
  }
}

/** Whether the SQLite in this Node is safe with a journal that is written ahead. */
export function nodeIsNewEnough(): boolean {
  const { sqlite } = process.versions as { sqlite?: string }
  return sqlite !== undefined && isSafe(sqlite)
}

/** Not in WAL mode any SQLite will do. */
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
    // The native part is loaded with the first database, so a missing one shows here.
    new Database(':memory:').close()
    return (file) => new Database(file)
  } catch (error) {
    throw new SutureError(
      'store-missing',
      `SQLite needs the package better-sqlite3, which could not be loaded (${wordsOf(error).split('\n')[0]}). Run: npm install better-sqlite3, or npm rebuild better-sqlite3 if it is there (it is compiled where no binary fits: that takes Python and a C++ compiler). Or use a Node with SQLite 3.51.3 or later, such as 22.23: then it is not needed.`,
      {},
      { cause: error },
    )
  }
}

export async function openPostgres(address: string, options: PostgresOptions): Promise<Store> {
  const name = 'pg'
  const found = await import(name).catch((error: unknown) => {
    throw new SutureError(
      'store-missing',
      `PostgreSQL needs the package pg, which could not be loaded (${wordsOf(error)}). Run: npm install pg`,
      {},
      { cause: error },
    )
  })
  const pool: PostgresHandle & Pool = new (found.default?.Pool ?? found.Pool)({ connectionString: address })
  // An idle connection that breaks would end the process; whoever asks next gets a new one, or the error.
  pool.on('error', () => {})
  try {
    return await postgresStore(pool, options)
  } catch (error) {
    await pool.end?.()
    throw error
  }
}
