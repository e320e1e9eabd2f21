/** Sets up a file: journal, syncing, page size. Rejects settings that are not safe. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { orUndefined, SutureError } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import { SQLITE_OPTIONS } from './options.ts'
import { checkSchema } from './sqlite-schema.ts'
import { hiddenCommits } from './sqlite-wal.ts'

/** The methods that a handle must have; both drivers have them. */
export interface SqliteHandle {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
  /** better-sqlite3 and node:sqlite name it differently. */
  readonly inTransaction?: boolean
  readonly isTransaction?: boolean
}

/** What was expected, if the value is not a handle. */
function isHandle(value: unknown): string | undefined {
  const { exec, prepare } = (value ?? {}) as Partial<SqliteHandle>
  const isOne = typeof exec === 'function' && typeof prepare === 'function'
  return isOne ? undefined : 'a database of better-sqlite3 or node:sqlite'
}

/** A prepared statement, as better-sqlite3 and `node:sqlite` have it. */
export interface SqliteStatement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
}

/** Options of a store in a SQLite file. */
export interface SqliteOptions {
  /** `full` survives a power cut; with `normal` one may lose the latest appends. Default: `full`. */
  readonly synchronous?: 'full' | 'normal'
  /** `delete` is slower; use it on network mounts and with SQLite before 3.51.3. Default: `wal`. */
  readonly journal?: 'wal' | 'delete'
  /** `accept`: open the file although its journal has commits that cannot be read, and drop them. Default: an error. */
  readonly damagedJournal?: 'accept'
  /** How long to wait if other processes lock the file, in ms. Default: 15,000. */
  readonly busyTimeoutMs?: number
  readonly now?: () => number
  readonly random?: () => number
  readonly sleep?: (milliseconds: number) => Promise<void>
}

/** File systems on a network or in another kernel: WAL needs memory that all its users share. */
const remote = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
])

export function prepareFile(db: SqliteHandle, options: SqliteOptions): void {
  const journal = options.journal ?? 'wal'
  // The store waits itself, fairly and without blocking the thread (`sqlite-busy-retry.ts`).
  db.exec('PRAGMA busy_timeout = 0')
  // Before anything is set on the file: a file of a newer schema stays unchanged.
  checkSchema(db)
  const file = fileOf(db)
  if (journal === 'wal') rejectOldSqlite(db)
  if (journal === 'wal' && file !== '') rejectNetworkFile(file)
  if (pragma(db, 'journal_mode') !== 'wal') db.exec('PRAGMA page_size = 8192')
  if (file !== '') setJournal(db, journal, file)
  db.exec(`PRAGMA synchronous = ${syncing(journal, options.synchronous)}`)
}

/**
 * A commit with a rollback journal is complete when the journal's name is removed from the folder, and only EXTRA syncs
 * that. Without it a power cut restores the journal, which then undoes the commit.
 */
function syncing(journal: 'wal' | 'delete', requested: SqliteOptions['synchronous']): string {
  if (requested === 'normal') return 'NORMAL'
  return journal === 'wal' ? 'FULL' : 'EXTRA'
}

function setJournal(db: SqliteHandle, journal: 'wal' | 'delete', file: string): void {
  const now = pragma(db, 'journal_mode')
  if (now === journal) return
  db.exec(`PRAGMA journal_mode = ${journal}`)
  const then = pragma(db, 'journal_mode')
  if (then === journal) return
  throw new SutureError(
    'store-unsafe',
    `${file} stays in journal mode ${then} although ${journal} was requested. Close other connections to it, or pass journal: '${then}'.`,
    { file, journal: then },
  )
}

/** Whether this version is safe in WAL mode. */
export function isSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1e6 + minor * 1e3 + patch >= 3_051_003
}

/** Before 3.51.3 a write and a checkpoint at the wrong moment can corrupt a WAL file (sqlite.org/wal.html). */
function rejectOldSqlite(db: SqliteHandle): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  if (isSafe(version)) return
  throw new SutureError(
    'store-unsafe',
    `SQLite ${version} can corrupt a file in WAL mode. Use SQLite 3.51.3 or later (better-sqlite3 12.11, Node 22.23), or journal: 'delete'.`,
    { version },
  )
}

function rejectNetworkFile(file: string): void {
  const name = remoteMount(typeOf(file))
  if (!name) return
  throw new SutureError(
    'store-unsafe',
    `${file} is on a ${name} mount, where WAL can corrupt it. Put it on a local disk, or pass journal: 'delete'.`,
    { file, mount: name },
  )
}

/**
 * Called while no other connection can write: the next commit would overwrite the damaged part. Not called if commits
 * are not synced one by one: then a power cut may leave the same traces.
 */
export function checkJournal(db: SqliteHandle, { journal, synchronous, damagedJournal }: SqliteOptions): void {
  const file = fileOf(db)
  if (file === '' || journal === 'delete' || synchronous === 'normal' || damagedJournal === 'accept') return
  const commits = hiddenCommits(`${file}-wal`, Number(pragma(db, 'page_size')))
  if (commits === 0) return
  throw new SutureError(
    'store-failed',
    `The journal ${file}-wal is damaged: at least ${commits} later commits in it cannot be read. Keep a copy of both files; restore them from a backup, or pass damagedJournal: 'accept' to continue without those commits.`,
    { file, commits },
  )
}

/** The name of a file system on which WAL is not safe, by the type number of the kernel. */
export function remoteMount(type: number): string | undefined {
  return remote.get(type)
}

function typeOf(file: string): number {
  return orUndefined(() => statfsSync(dirname(file)).type) ?? 0
}

/** Empty for an in-memory database. */
export function fileOf(db: SqliteHandle): string {
  const list = db.prepare('PRAGMA database_list').all() as { name: string; file: string | null }[]
  return list.find(({ name }) => name === 'main')?.file ?? ''
}

function pragma(db: SqliteHandle, name: string): string {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined
  return String(row?.[name] ?? '').toLowerCase()
}

export function checkSqlite(handle: unknown, options: unknown): void {
  checkValue('The handle', handle, isHandle, "Pass an open database: new Database('chats.db') of better-sqlite3.")
  checkOptions('sqliteStore', options, SQLITE_OPTIONS)
}
