/** Steps of writing that a crash at any moment leaves done or not done. */
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { SutureError } from '../../core/index.ts'
import { writeAll } from './appended.ts'

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
