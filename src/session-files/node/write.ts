/**
 * Writes a repair plan to disk, and takes it back. Rejects with `conflict` if the file is live, has changed, or the
 * plan is another one.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { orUndefined, SutureError } from '../../core/index.ts'
import { checkWritten } from '../promise.ts'
import { sameBytes } from '../salvage/bytes.ts'
import type { RepairPlan } from '../types.ts'
import { removeAbandoned } from './abandoned.ts'
import { changed } from './appended.ts'
import { cannotCompress, compress } from './compression.ts'
import type { FileOnDisk } from './read.ts'
import { type Replacement, replaceFile } from './replace.ts'
import {
  type BackupEntry,
  backupBytes,
  digestOf,
  listBackups,
  markUndone,
  type NewEntry,
  removeBackup,
  saveBackup,
  sha256Of,
} from './state.ts'

export interface WriteOptions {
  readonly state: string
  readonly format: string
}

/** Backup first, then the file. Returns the entry that `undoWrite` takes. */
export function writePlan(file: FileOnDisk, plan: RepairPlan, options: WriteOptions): BackupEntry {
  const cannot = cannotCompress(file.compression)
  if (cannot !== undefined) throw new SutureError('bad-option', `${file.path}: ${cannot}.`)
  const after = compress(plan.bytes, file.compression)
  const stored = { ...plan, bytes: after }
  return replaceWithBackup(options.state, (written) => checkWritten(stored, written), {
    kind: 'repair',
    path: realPath(file.path),
    format: options.format,
    plan: plan.fingerprint,
    compression: file.compression,
    beforeBytes: file.stored,
    afterBytes: after,
    changes: plan.changes.length,
    quarantine: plan.quarantined,
  })
}

/** A write that did not take place leaves no backup. */
function replaceWithBackup(state: string, check: Replacement['check'], entry: NewEntry): BackupEntry {
  const saved = saveBackup(state, entry)
  try {
    const outcome = replaceFile(entry.path, { before: entry.beforeBytes, after: entry.afterBytes, check })
    if (outcome === 'replaced') return saved
  } catch (error) {
    removeBackup(state, saved)
    throw error
  }
  throw new SutureError(
    'conflict',
    `${entry.path} was rewritten by another process while it was repaired, and has the bytes of that process now. The backup of the old bytes is ${saved.id}.`,
  )
}

/** Without symbolic links, as far as the path exists. */
function realPath(path: string): string {
  const full = resolve(path)
  return (
    orUndefined(() => realpathSync(full)) ??
    (dirname(full) === full ? full : join(realPath(dirname(full)), basename(full)))
  )
}

/** The latest write to this file, under any of its names, that has not been undone. */
export function lastWrite(state: string, path: string): BackupEntry | undefined {
  const full = realPath(path)
  return listBackups(state).find((one) => one.path === full && one.kind === 'repair' && one.undoneBy === undefined)
}

export interface Undone {
  readonly entry: BackupEntry
  /** Bytes that the agent has appended since, and that were kept. */
  readonly kept: number
  /** The file already had its old bytes. */
  readonly again: boolean
}

/** Brings back the exact bytes. What was appended since is kept after them. */
export function undoWrite(state: string, entry: BackupEntry, force = false): Undone {
  removeAbandoned(entry.path)
  const current = readFileSync(entry.path)
  const now = digestOf(current)
  if (now.sha256 === entry.before.sha256) {
    if (entry.undoneBy === undefined) markUndone(state, entry, 'nothing')
    return { entry, kept: 0, again: true }
  }
  const before = backupBytes(state, entry)
  const appended = appendedSince(current, entry)
  if (!force) checkReferences(before, current, appended, entry)
  const bytes = appended.length === 0 ? before : joined(before, appended)
  const check = (written: Uint8Array) => {
    if (sameBytes(written, bytes)) return
    throw new SutureError('conflict', `What was written differs from the backup. ${entry.path} was not replaced.`)
  }
  const saved = replaceWithBackup(state, check, {
    kind: 'undo',
    path: entry.path,
    format: entry.format,
    compression: entry.compression,
    beforeBytes: current,
    afterBytes: bytes,
    changes: entry.changes,
    quarantine: [],
  })
  markUndone(state, entry, saved.id)
  return { entry, kept: appended.length, again: false }
}

function appendedSince(current: Uint8Array, { after, compression, path }: BackupEntry): Uint8Array {
  const isPrefix = current.length >= after.size && sha256Of(current.subarray(0, after.size)) === after.sha256
  if (!isPrefix || (compression !== 'none' && current.length > after.size)) throw changed(path)
  return current.subarray(after.size)
}

function joined(before: Uint8Array, appended: Uint8Array): Uint8Array {
  const needsBreak = before.length > 0 && before.at(-1) !== 10 && appended[0] !== 10
  return Buffer.concat([before, ...(needsBreak ? [Buffer.from('\n')] : []), appended])
}

/** Appended records may name a record that only the repair has made: without it they would hang in the air. */
function checkReferences(before: Uint8Array, current: Uint8Array, appended: Uint8Array, entry: BackupEntry): void {
  if (appended.length === 0) return
  const old = new Set(Buffer.from(before).toString('latin1').split('\n'))
  const made = Buffer.from(current.subarray(0, entry.after.size)).toString('latin1').split('\n')
  const text = Buffer.from(appended).toString('latin1')
  const known = Buffer.from(before).toString('latin1')
  for (const line of made) {
    if (old.has(line)) continue
    for (const [, id] of line.matchAll(/"(?:uuid|id)"\s*:\s*"([^"]{6,})"/g)) {
      if (id === undefined || !text.includes(`"${id}"`) || known.includes(`"${id}"`)) continue
      throw new SutureError(
        'conflict',
        `${entry.path}: the agent has continued from record ${id.slice(0, 12)}…, which the repair had added; undoing it would cut that chain. Use --force to undo it anyway. Nothing was written.`,
      )
    }
  }
}
