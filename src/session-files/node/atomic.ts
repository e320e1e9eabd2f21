/**
 * Replaces a file in one step: after a crash at any moment there is the old file or the new one, never a mixture.
 * Mode, owner and time of change are those of the old file; a symbolic link stays a link.
 */
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SutureError } from '../../core/index.ts'
import { sha256Of } from './digest.ts'

const TEMPORARY = /^\.suture-(\d+)-[0-9a-z]+\.tmp$/

export interface Replacement {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes that are replaced: checked again just before the rename. */
  readonly expected: string
}

/** Throws `conflict` if the file is not what was expected, or is open and cannot be replaced (Windows). */
export function replaceFile(path: string, { bytes, expected }: Replacement): void {
  const target = realpathSync(path)
  const folder = dirname(target)
  removeAbandoned(folder)
  const old = statSync(target)
  const temporary = join(folder, `.suture-${process.pid}-${Math.random().toString(36).slice(2, 10)}.tmp`)
  const drop = () => rmSync(temporary, { force: true })
  process.once('exit', drop)
  try {
    writeSynced(temporary, bytes, old.mode & 0o7777)
    try {
      chownSync(temporary, old.uid, old.gid)
    } catch {
      // Only root may give a file away; for our own file there is nothing to change.
    }
    utimesSync(temporary, old.atime, old.mtime)
    if (sha256Of(readFileSync(target)) !== expected) throw changed(path)
    renamed(temporary, target, path)
    syncFolder(folder)
  } finally {
    process.off('exit', drop)
    drop()
  }
}

/** Writes a new file and waits until it is on disk. */
export function writeSynced(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at)
    if (process.platform !== 'win32') fchmodSync(file, mode)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Windows has no way to sync a folder. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

export function changed(path: string): SutureError {
  return new SutureError(
    'conflict',
    `${path} has changed since it was read. Nothing was written. Run the command again.`,
  )
}

function renamed(from: string, to: string, shown: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES') throw error
    throw new SutureError('conflict', `${shown} cannot be replaced (${code}): close the program that has it open.`)
  }
}

/** What a killed process has left in this folder. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = TEMPORARY.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(folder, name)
    if (lstatSync(path).isFile()) rmSync(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
