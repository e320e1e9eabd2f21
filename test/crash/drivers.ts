/**
 * Opens the store that a row is to be run on, in this process: the real one, or one with a planted bug.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Store } from '../../src/session.ts'
import { nodeIsNewEnough } from '../../src/stores/drivers.ts'
import { type SqliteHandle, type SqliteOptions, sqliteStore } from '../../src/stores/sqlite.ts'
import { rootFolder } from './matrix-row.ts'
import { type Planted, planted } from './planted.ts'

export interface Opening {
  readonly file: string
  readonly synchronous?: 'full' | 'normal'
  readonly journal?: 'wal' | 'delete'
  readonly planted?: Planted
  /** Pages in the journal before it is written back; few of them make that happen in a short run. */
  readonly checkpoint?: number
}

/** Loaded by its place and not by its name: a bundle in a temporary folder finds no packages. */
export function load<T>(name: string): T {
  const root = process.env['SUTURE_ROOT'] ?? rootFolder()
  return createRequire(join(root, 'package.json'))(name) as T
}

type Driver = new (file: string) => SqliteHandle

/** As `openStore` chooses it; `SUTURE_SQLITE=better-sqlite3` chooses otherwise. */
export const driver: 'node:sqlite' | 'better-sqlite3' =
  process.env['SUTURE_SQLITE'] !== 'better-sqlite3' && nodeIsNewEnough() ? 'node:sqlite' : 'better-sqlite3'

export function openHandle(file: string): SqliteHandle {
  if (driver === 'node:sqlite') return new (load<{ DatabaseSync: Driver }>(driver).DatabaseSync)(file)
  return new (load<Driver>(driver))(file)
}

export async function openFile({ file, planted: bug, checkpoint, ...options }: Opening): Promise<Store> {
  const handle = openHandle(file)
  try {
    const real = await sqliteStore(handle, { busyTimeoutMs: 60_000, ...options } satisfies SqliteOptions)
    if (checkpoint !== undefined) handle.exec(`PRAGMA wal_autocheckpoint = ${checkpoint}`)
    return bug ? planted[bug](real, handle) : real
  } catch (error) {
    handle.close()
    throw error
  }
}

export function sqliteVersion(): string {
  const handle = openHandle(':memory:')
  const { version } = handle.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  handle.close()
  const of =
    driver === 'node:sqlite' ? process.versions.node : load<{ version: string }>(`${driver}/package.json`).version
  return `SQLite ${version} (${driver} ${of})`
}
