/**
 * Makes a file of schema 1 of one of today's: for tests of how older files are opened.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqliteHandle } from '../src/stores/sqlite.ts'
import { END } from '../src/stores/sqlite-sql.ts'

/** The tables as they were, word for word: the fixture is never changed. */
function tables(root: string): string {
  const lines = readFileSync(join(root, 'test/crash/fixtures/sqlite-1.sql'), 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('CREATE') && !line.includes('suture_schema')).join('\n')
}

export function backToSchema1(db: SqliteHandle, root: string): void {
  db.exec(`BEGIN;
    ALTER TABLE suture_record RENAME TO was;
    ${tables(root)}
    INSERT INTO suture_head SELECT session, record, hash, snapshot, epoch, owner FROM suture_place WHERE seq = ${END};
    INSERT INTO suture_record SELECT * FROM was;
    DROP TABLE was; DROP TABLE suture_place; DROP TABLE suture_op; DROP TABLE suture_session;
    DELETE FROM suture_schema WHERE version > 1;
    COMMIT`)
}
