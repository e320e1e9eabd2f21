/** Option tables of the stores. In a file of their own, so that a check loads no driver. */
import type { OptionTable } from '../core/options.ts'
import type { PostgresOptions } from './postgres.ts'
import type { SqliteOptions } from './sqlite-file.ts'

export const SQLITE_OPTIONS: OptionTable<SqliteOptions> = {
  synchronous: ['full', 'normal'],
  journal: ['wal', 'delete'],
  damagedJournal: ['accept'],
  busyTimeoutMs: 'number',
  now: 'function',
  random: 'function',
  sleep: 'function',
}

export const POSTGRES_OPTIONS: OptionTable<PostgresOptions> = { prepare: 'boolean' }
