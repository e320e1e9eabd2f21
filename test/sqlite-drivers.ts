/**
 * The SQLite drivers that can be loaded here; for the others, why not.
 */
import { createRequire } from 'node:module'
import { nodeIsNewEnough } from '../src/stores/drivers.ts'
import type { SqliteHandle } from '../src/stores/sqlite.ts'

type Driver = new (file: string) => SqliteHandle

export interface SqliteDriver {
  readonly name: string
  /** Why it cannot be used. */
  readonly missing?: string
  open(file: string): SqliteHandle
}

const load = createRequire(import.meta.url)

function driverOf(name: string, find: () => Driver): SqliteDriver {
  try {
    const Found = find()
    new Found(':memory:').close()
    return { name, open: (file) => new Found(file) }
  } catch (error) {
    const missing = String(error).split('\n')[0]!.slice(0, 120)
    return { name: `${name} (skipped: ${missing})`, missing, open: () => expectNever(missing) }
  }
}

export const sqliteDrivers: readonly SqliteDriver[] = [
  driverOf('better-sqlite3', () => load('better-sqlite3') as Driver),
  driverOf('node:sqlite', () => {
    if (!nodeIsNewEnough()) throw new Error(`Node ${process.versions.node} has no SQLite of 3.51.3 or later`)
    return (load('node:sqlite') as { DatabaseSync: Driver }).DatabaseSync
  }),
]

function expectNever(missing: string): never {
  throw new Error(missing)
}

/** What a pragma is set to. */
export function pragma(db: SqliteHandle, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0]
}
