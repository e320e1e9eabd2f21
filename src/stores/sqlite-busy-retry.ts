/** Waits for a locked file without blocking the thread. SQLite's own busy handler blocks it, and is unfair. */
import { setTimeout as pause } from 'node:timers/promises'
import { isSutureError } from '../core/index.ts'
import { busy, codeOf, isBusy } from './sqlite-errors.ts'
import type { SqliteOptions } from './sqlite-file.ts'
import { failed } from './store-errors.ts'

/** Repeats the work while the file is locked, until `busyTimeoutMs` have passed. */
export async function withBusyRetry<T>(what: string, work: () => T, options: SqliteOptions): Promise<T> {
  const { now = Date.now, random = Math.random, sleep = pause, busyTimeoutMs = 15_000 } = options
  const end = now() + busyTimeoutMs
  for (let wait = 1; ; wait = Math.min(wait * 1.5, 40)) {
    try {
      return work()
    } catch (error) {
      if (isSutureError(error)) throw error
      if (!isBusy(error)) throw failed('sqlite', what, error, codeOf(error))
      if (now() >= end) throw busy(what, busyTimeoutMs, error)
      await sleep(wait * (0.5 + random()))
    }
  }
}
