/**
 * Suture's own folder of backups: one entry for each file that was written, with the old bytes, the quarantine, and
 * what undo needs. Only its owner can read it. Entries are in the order in which they were written, not by the clock.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SutureError } from '../../core/index.ts'
import type { Quarantined } from '../types.ts'
import { syncFolder, writeSynced } from './atomic.ts'
import type { Compression } from './compression.ts'
import { makeFolder } from './regular-file.ts'

/** Days on which a file was written. A clock that jumps, and a long pause, count as one. */
export const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** SHA-256 and size of bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

export interface BackupEntry {
  readonly id: string
  readonly kind: 'repair' | 'undo'
  /** The file itself, without symbolic links. */
  readonly path: string
  readonly at: string
  /** Counts up with each entry. */
  readonly order: number
  readonly format: string
  readonly plan?: string | undefined
  readonly compression: Compression
  readonly before: Digest
  readonly after: Digest
  readonly changes: number
  readonly quarantined: number
  /** The entry that brought the old bytes back. */
  readonly undoneBy?: string | undefined
}

export type NewEntry = Omit<BackupEntry, 'id' | 'at' | 'order' | 'before' | 'after' | 'quarantined' | 'undoneBy'> & {
  readonly beforeBytes: Uint8Array
  readonly afterBytes: Uint8Array
  readonly quarantine: readonly Quarantined[]
}

/** Stores the old bytes and reads them back before anything else is touched. */
export function saveBackup(state: string, entry: NewEntry): BackupEntry {
  const { beforeBytes, afterBytes, quarantine, ...rest } = entry
  const at = new Date().toISOString()
  const id = `${at.replace(/[-:]/g, '').slice(0, 15)}-${randomBytes(4).toString('hex')}`
  const folder = join(backupsIn(state), id)
  makeBackupFolder(folder)
  removeExpired(state)
  writeSynced(join(folder, 'before'), beforeBytes, 0o600)
  const saved: BackupEntry = {
    ...rest,
    id,
    at,
    order: 1 + Math.max(0, ...listBackups(state).map(({ order }) => order)),
    before: digestOf(beforeBytes),
    after: digestOf(afterBytes),
    quarantined: quarantine.length,
  }
  if (sha256Of(readFileSync(join(folder, 'before'))) !== saved.before.sha256)
    throw new SutureError(
      'store-failed',
      `The backup in ${folder} does not read back as it was written. Nothing was changed.`,
    )
  if (quarantine.length > 0) writeSynced(join(folder, 'quarantine.jsonl'), quarantineLines(quarantine), 0o600)
  writeSynced(join(folder, 'entry.json'), Buffer.from(`${JSON.stringify(saved, null, 2)}\n`), 0o600)
  syncFolder(folder)
  syncFolder(backupsIn(state))
  return saved
}

function makeBackupFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SutureError(
      'bad-option',
      `The folder of backups ${folder} cannot be made (${code}). Nothing was written. Set SUTURE_STATE_DIR to a folder that can be written.`,
    )
  }
}

/** One line for each piece, with its place; bytes that are not UTF-8 in base64. */
export function quarantineLines(pieces: readonly Quarantined[]): Uint8Array {
  const lines = pieces.map(({ line, offset, reason, bytes }) => {
    const text = Buffer.from(bytes).toString('utf8')
    const content = Buffer.from(text).equals(Buffer.from(bytes))
      ? { text }
      : { base64: Buffer.from(bytes).toString('base64') }
    return `${JSON.stringify({ line, offset, reason, ...content })}\n`
  })
  return Buffer.from(lines.join(''))
}

/** Newest first. A folder without a readable entry is a write that did not get that far. */
export function listBackups(state: string): readonly BackupEntry[] {
  const entries: BackupEntry[] = []
  for (const id of idsIn(backupsIn(state))) {
    try {
      entries.push(JSON.parse(readFileSync(join(backupsIn(state), id, 'entry.json'), 'utf8')) as BackupEntry)
    } catch {
      // Interrupted before the entry was written: nothing was changed then.
    }
  }
  return entries.sort((a, b) => b.order - a.order || (a.id < b.id ? 1 : -1))
}

/** Without a folder no repair was written yet. One that cannot be read is not taken for an empty one. */
function idsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new SutureError(
      'bad-option',
      `The folder of backups ${folder} cannot be read (${code}). Set SUTURE_STATE_DIR to the folder that repairs were written with.`,
    )
  }
}

export function backupBytes(state: string, { id, before, path }: BackupEntry): Uint8Array {
  const bytes = readFileSync(join(backupsIn(state), id, 'before'))
  if (sha256Of(bytes) === before.sha256) return bytes
  throw new SutureError(
    'store-failed',
    `The backup ${id} of ${path} is damaged: its hash is not the one that was stored.`,
  )
}

export function folderOf(state: string, { id }: BackupEntry): string {
  return join(backupsIn(state), id)
}

export function markUndone(state: string, entry: BackupEntry, undoneBy: string): void {
  const folder = folderOf(state, entry)
  const next = join(folder, 'entry.json.next')
  rmSync(next, { force: true })
  writeSynced(next, Buffer.from(`${JSON.stringify({ ...entry, undoneBy }, null, 2)}\n`), 0o600)
  renameSync(next, join(folder, 'entry.json'))
}

/** For a write that did not take place. */
export function removeBackup(state: string, entry: BackupEntry): void {
  rmSync(folderOf(state, entry), { recursive: true, force: true })
}

/** The age of an entry is the sum of the times between the writes since, each a day at most. */
function removeExpired(state: string): void {
  let age = 0
  let later = Date.now()
  for (const entry of listBackups(state)) {
    const time = Date.parse(entry.at)
    age += Math.min(Math.max(later - time, 0), DAY_MS)
    later = time
    if (age > KEPT_DAYS * DAY_MS) removeBackup(state, entry)
  }
}

function backupsIn(state: string): string {
  return join(state, 'backups')
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function digestOf(bytes: Uint8Array): Digest {
  return { sha256: sha256Of(bytes), size: bytes.length }
}
