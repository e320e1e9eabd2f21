/**
 * One transaction on an SQLite handle: begun with the write lock, and taken back where anything fails.
 */
import { isSutureError, SutureError } from '../core/index.ts'
import { codeOf, isBusy, isFull } from './sqlite-errors.ts'
import type { SqliteHandle, SqliteStatement } from './sqlite-file.ts'
import { unknownOutcome } from './store-errors.ts'

type Prepare = (text: string) => SqliteStatement

/** The lock is taken at the start: a transaction that reads first and writes then can be rejected for good. */
export function inTransaction<T>(db: SqliteHandle, sql: Prepare, op: string, work: () => T): T {
  let outcome: T
  try {
    begin(db, sql)
    outcome = work()
  } catch (error) {
    if (!isSutureError(error, 'store-busy')) rollBack(db, sql)
    throw error
  }
  try {
    sql('COMMIT').run()
  } catch (error) {
    const undone = rollBack(db, sql)
    // Locked or full at the end: taken back, and known to be. Anything else may be on the disk.
    if (undone || isBusy(error) || isFull(error)) throw error
    throw unknownOutcome('sqlite', op, error, codeOf(error))
  }
  return outcome
}

function begin(db: SqliteHandle, sql: Prepare): void {
  if ((db.inTransaction ?? db.isTransaction) === true) {
    throw new SutureError(
      'store-busy',
      'The SQLite handle is inside a transaction of its owner. Give the store a handle of its own.',
    )
  }
  sql('BEGIN IMMEDIATE').run()
}

/** SQLite may have rolled back by itself (a full disk); a second ROLLBACK would hide the true error. Says whether it is known to be undone. */
function rollBack(db: SqliteHandle, sql: Prepare): boolean {
  if ((db.inTransaction ?? db.isTransaction) === false) return false
  try {
    sql('ROLLBACK').run()
    return true
  } catch {
    return false
  }
}
