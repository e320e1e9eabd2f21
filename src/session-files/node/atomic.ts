/** Steps of writing that a crash at any moment leaves done or not done. */
import { closeSync, fchmodSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SutureError } from '../../core/index.ts'
import { writeAll } from './appended.ts'
import { isAlive } from './processes.ts'

const TEMPORARY = /^\.suture-(\d+)-[0-9a-z]+\.tmp$/

/** In the same folder: only there a rename is one step. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.suture-${process.pid}-${Math.random().toString(36).slice(2, 10)}.tmp`)
}

/** Writes a new file and waits until it is on disk. */
export function writeSynced(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode)
  try {
    writeAll(file, bytes)
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

export function rename(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES') throw error
    const step = process.platform === 'win32' ? 'close the program that has it open' : 'it, or its folder, is protected'
    throw new SutureError('conflict', `${to} cannot be replaced (${code}): ${step}. Nothing was written.`)
  }
}

/** What a killed process has left in this folder. Throws `conflict` if a living one is replacing the same file. */
export function removeAbandoned(path: string, ino: number): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? Number.NaN)
    const found = Number.isNaN(pid) ? undefined : lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (!found?.isFile()) continue
    // This process has no temporary file yet: one with its id is of an earlier process.
    if (pid === process.pid || !isAlive(pid)) rmSync(join(folder, name), { force: true })
    else if (found.ino === ino)
      throw new SutureError('conflict', `Process ${pid} is repairing ${basename(path)} now. Run the command again.`)
  }
}
