/**
 * Keeps a copy of a file before its schema is migrated: older versions of Suture reject the new schema, and the copy is the way back.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import type { SqliteHandle } from './sqlite-file.ts'
import { codeOf } from './store-errors.ts'

/**
 * `<file>.schema-<version>`, next to the file. The first copy is kept: a later one could be of a file that another process has migrated
 * meanwhile.
 */
export function keepCopy(db: SqliteHandle, file: string, version: number): void {
  const copy = `${file}.schema-${version}`
  if (file === '' || existsSync(copy)) return
  const part = `${copy}.${process.pid}.part`
  rmSync(part, { force: true })
  db.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`)
  synced(part)
  try {
    linkSync(part, copy)
  } catch (error) {
    // Some file systems have no hard links.
    if (codeOf(error) !== 'EEXIST' && !existsSync(copy)) renameSync(part, copy)
  }
  rmSync(part, { force: true })
}

function synced(file: string): void {
  const at = openSync(file, 'r+')
  try {
    fsyncSync(at)
  } finally {
    closeSync(at)
  }
}
