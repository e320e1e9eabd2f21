/**
 * The tables, and the migrations of older files. Forward only; each step is in the transaction that records it.
 */
import type { SqliteHandle } from './sqlite-file.ts'
import { END, GROUP } from './sqlite-sql.ts'
import { newer } from './store-errors.ts'

/** Records are in a rowid table: a table ordered by (session, seq) writes twice as many pages for rows of this size. */
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
  // Schema 1 wrote the pages of two indexes, the head and the record. In schema 2 positions and head share a page (docs/decisions/0018).
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

/** The schema of a file that has to be migrated; 0 if it has none, or the current one. A newer one is rejected. */
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

/** Called inside a transaction with the write lock, so that one of several processes migrates and the others find it done. */
export function migrate(db: SqliteHandle): void {
  db.exec('CREATE TABLE IF NOT EXISTS suture_schema (version INTEGER NOT NULL)')
  const version = versionOf(db)
  for (let at = version; at < steps.length; at++) {
    db.exec(steps[at]!)
    db.prepare('INSERT INTO suture_schema (version) VALUES (?)').run(at + 1)
  }
}
