/** One transaction on an SQLite handle: begun with the write lock, and taken back where anything fails. */
import { isSutureError, SutureError } from '../core/index.ts'
import { codeOf, isBusy, isFull } from './sqlite-errors.ts'
import type { SqliteHandle, SqliteStatement } from './sqlite-file.ts'
import { unknownOutcome } from './store-errors.ts'

type Prepare = (text: string) => SqliteStatement

/** The lock is taken at the start: a transaction that reads first and then writes can fail permanently. */
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
    // Locked or full: the transaction is known to be rolled back. After any other error it may be on the disk.
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

/** False if it is not certain. On a full disk SQLite rolls back itself; another ROLLBACK would hide the error. */
function rollBack(db: SqliteHandle, sql: Prepare): boolean {
  if ((db.inTransaction ?? db.isTransaction) === false) return false
  try {
    sql('ROLLBACK').run()
    return true
  } catch {
    return false
  }
}
