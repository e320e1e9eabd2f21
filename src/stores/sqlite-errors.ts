/** Interprets SQLite's errors, for both drivers. */
import { SutureError } from '../core/index.ts'
import { codeOf as plainCode } from './store-errors.ts'

export function busy(what: string, waitedMs: number, cause: unknown): SutureError {
  return new SutureError(
    'store-busy',
    `sqlite could not ${what}: other processes kept the file locked for ${waitedMs} ms. Nothing was written; try again, or let one process write.`,
    { waitedMs },
    { cause },
  )
}

export function missingHead(session: string): SutureError {
  return new SutureError(
    'store-failed',
    `Session ${session} has records but no readable head: the file is damaged. Nothing was written; restore it from a backup.`,
    { session },
  )
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL'
}

/** Primary result codes that are worth naming in a message (sqlite.org/rescode.html). */
const names: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}

/** better-sqlite3 gives names, node:sqlite numbers (the primary code is the low byte): the same name for both. */
export function codeOf(error: unknown): string | undefined {
  const number = typeof error === 'object' && error !== null ? (error as { errcode?: unknown }).errcode : undefined
  return typeof number === 'number' ? (names[number & 255] ?? `SQLITE_${number}`) : plainCode(error)
}
