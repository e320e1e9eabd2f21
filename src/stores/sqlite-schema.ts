/**
 * The tables, and how older files become today's. Forward only; each step in the transaction that notes it.
 */
import type { SqliteHandle } from './sqlite-file.ts'
import { END, GROUP } from './sqlite-sql.ts'
import { newer } from './store-errors.ts'

/** Records in a rowid table: one ordered by (session, seq) writes rows of this size twice as wide. */
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
  // An append wrote into the pages of two indices, of the head and of the record. Positions and head now share one, and records stay as they are.
  `CREATE TABLE suture_session (session TEXT PRIMARY KEY) WITHOUT ROWID;
   CREATE TABLE suture_place (
     session TEXT NOT NULL, seq INTEGER NOT NULL, record INTEGER NOT NULL, op TEXT,
     hash TEXT, snapshot INTEGER, epoch INTEGER, owner TEXT, PRIMARY KEY (session, seq)
   ) WITHOUT ROWID;
   CREATE TABLE suture_op (session TEXT NOT NULL, op TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (session, op)) WITHOUT ROWID;
   INSERT INTO suture_session SELECT session FROM suture_head ORDER BY session;
   INSERT INTO suture_place (session, seq, record, op)
     SELECT session, seq, id, CASE part WHEN 0 THEN op END FROM suture_record ORDER BY session, seq;
   INSERT INTO suture_place (session, seq, record, hash, snapshot, epoch, owner)
     SELECT session, ${END}, head, hash, snapshot, epoch, owner FROM suture_head ORDER BY session;
   INSERT INTO suture_op (session, op, seq)
     SELECT record.session, record.op, record.seq FROM suture_record AS record JOIN suture_head AS at ON at.session = record.session
     WHERE record.part = 0 AND record.seq <= at.head - at.head % ${GROUP} ORDER BY record.session, record.op;
   DROP INDEX suture_record_seq;
   DROP INDEX suture_record_op;
   DROP TABLE suture_head;`,
]

/** The schema of a file that is to be migrated; 0 for one that has none, or today's. A newer one is rejected. */
export function olderVersion(db: SqliteHandle): number {
  if (!db.prepare("SELECT name FROM sqlite_schema WHERE name = 'suture_schema'").get()) return 0
  const version = versionOf(db)
  return version < steps.length ? version : 0
}

function versionOf(db: SqliteHandle): number {
  return checkedVersion(db.prepare(VERSION).get())
}

export const VERSION = 'SELECT max(version) AS version FROM suture_schema'

/** The version in a row of that statement. A newer one is rejected. */
export function checkedVersion(row: unknown): number {
  const version = (row as { version: number | null }).version ?? 0
  if (version > steps.length) throw newer('sqlite', version, steps.length)
  return version
}

/** Called inside a transaction that holds the write lock, so that of several processes one migrates and the rest find it done. */
export function migrate(db: SqliteHandle): void {
  db.exec('CREATE TABLE IF NOT EXISTS suture_schema (version INTEGER NOT NULL)')
  const version = versionOf(db)
  for (let at = version; at < steps.length; at++) {
    db.exec(steps[at]!)
    db.prepare('INSERT INTO suture_schema (version) VALUES (?)').run(at + 1)
  }
}
