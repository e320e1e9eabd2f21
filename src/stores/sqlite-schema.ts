/**
 * The tables, and how older files become today's. Forward only; each step in the transaction that notes it.
 */
import { SutureError } from '../core/index.ts'
import type { SqliteHandle } from './sqlite-file.ts'

/** A rowid table with an index: a table ordered by (session, seq) writes rows of this size twice as wide. */
const steps: readonly string[] = [
  `CREATE TABLE suture_head (
     session TEXT PRIMARY KEY, head INTEGER NOT NULL, hash TEXT NOT NULL, snapshot INTEGER NOT NULL, epoch INTEGER NOT NULL, owner TEXT
   );
   CREATE TABLE suture_record (
     id INTEGER PRIMARY KEY, session TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, op TEXT NOT NULL, part INTEGER NOT NULL,
     body TEXT NOT NULL, hash TEXT NOT NULL
   );
   CREATE UNIQUE INDEX suture_record_seq ON suture_record (session, seq);
   CREATE UNIQUE INDEX suture_record_op ON suture_record (session, op) WHERE part = 0;`,
]

/** Called inside a transaction that holds the write lock, so that of several processes one migrates and the rest find it done. */
export function migrate(db: SqliteHandle): void {
  db.exec('CREATE TABLE IF NOT EXISTS suture_schema (version INTEGER NOT NULL)')
  const row = db.prepare('SELECT max(version) AS version FROM suture_schema').get() as { version: number | null }
  const version = row.version ?? 0
  if (version > steps.length) throw newer('sqlite', version, steps.length)
  for (let at = version; at < steps.length; at++) {
    db.exec(steps[at]!)
    db.prepare('INSERT INTO suture_schema (version) VALUES (?)').run(at + 1)
  }
}

export function newer(store: string, found: number, known: number): SutureError {
  return new SutureError(
    'store-newer',
    `This ${store} database has schema ${found}, and this version of suture knows ${known}. Update suture; nothing was changed.`,
    { found, known },
  )
}
