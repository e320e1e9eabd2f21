/**
 * Waits for other processes without blocking this one: SQLite's own waiting sleeps, and is unfair.
 */
import { isSutureError } from '../core/index.ts'
import { busy, codeOf, isBusy } from './sqlite-errors.ts'
import type { SqliteOptions } from './sqlite-file.ts'
import { failed } from './store-errors.ts'

/** Tries until it is done, it fails, or patience is at its end. */
export async function patiently<T>(what: string, work: () => T, options: SqliteOptions): Promise<T> {
  const { now = Date.now, random = Math.random, sleep = pause, patience = 15_000 } = options
  const end = now() + patience
  for (let wait = 1; ; wait = Math.min(wait * 1.5, 40)) {
    try {
      return work()
    } catch (error) {
      if (isSutureError(error)) throw error
      if (!isBusy(error)) throw failed('sqlite', what, error, codeOf(error))
      if (now() >= end) throw busy(what, patience, error)
      await sleep(wait * (0.5 + random()))
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}
