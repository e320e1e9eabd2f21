/**
 * The tables of an SQLite file, and the steps to later schemas. Forward only; each step is in the transaction that
 * records it.
 */
import type { SqliteHandle } from './sqlite-file.ts'
import { newer } from './store-errors.ts'

/**
 * Records are in a rowid table: a table ordered by (session, seq) writes twice as many pages for rows of this size.
 * Positions and head share a page (docs/decisions/0018).
 */
const TABLES = `CREATE TABLE suture_record (
    id INTEGER PRIMARY KEY, session TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, op TEXT NOT NULL, part INTEGER NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL
  );
  CREATE TABLE suture_session (session TEXT PRIMARY KEY, parent TEXT, base INTEGER) WITHOUT ROWID;
  CREATE INDEX suture_branch ON suture_session (parent) WHERE parent IS NOT NULL;
  CREATE TABLE suture_place (
    session TEXT NOT NULL, seq INTEGER NOT NULL, record INTEGER NOT NULL, op TEXT,
    hash TEXT, snapshot INTEGER, epoch INTEGER, owner TEXT, PRIMARY KEY (session, seq)
  ) WITHOUT ROWID;
  CREATE TABLE suture_op (session TEXT NOT NULL, op TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (session, op)) WITHOUT ROWID;`

/** Statements that take a file from each schema to the next one, beginning with schema 1. */
const STEPS: readonly string[] = []

const SCHEMAS = [TABLES, ...STEPS]

export const VERSION = 'SELECT max(version) AS version FROM suture_schema'

/** The version in a row of that statement. A newer one is rejected. */
export function checkedVersion(row: unknown): number {
  const version = (row as { version: number | null }).version ?? 0
  if (version > SCHEMAS.length) throw newer('sqlite', version, SCHEMAS.length)
  return version
}

/** Rejects a file of a newer schema; one without tables is new. */
export function checkSchema(db: SqliteHandle): void {
  if (db.prepare("SELECT name FROM sqlite_schema WHERE name = 'suture_schema'").get())
    checkedVersion(db.prepare(VERSION).get())
}

/** Inside a transaction with the write lock: one of several processes migrates, the others find it done. */
export function migrate(db: SqliteHandle): void {
  db.exec('CREATE TABLE IF NOT EXISTS suture_schema (version INTEGER NOT NULL)')
  for (let version = checkedVersion(db.prepare(VERSION).get()); version < SCHEMAS.length; version++) {
    db.exec(SCHEMAS[version]!)
    db.prepare('INSERT INTO suture_schema (version) VALUES (?)').run(version + 1)
  }
}
