/** Explains why an SQLite file cannot be opened, by looking at the disk: SQLite only reports that it cannot. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { orUndefined, SutureError } from '../core/index.ts'
import { codeOf } from './sqlite-errors.ts'
import { failed } from './store-errors.ts'

export function cannotOpen(file: string, cause: unknown): SutureError {
  const why = unusable(resolve(file))
  if (why === undefined) return failed('sqlite', `open ${file}`, cause, codeOf(cause))
  return new SutureError('store-failed', `sqlite could not open ${file}: ${why}`, { store: 'sqlite', file }, { cause })
}

/** Why a database cannot be at this path; undefined: it can. */
export function unusable(file: string): string | undefined {
  const folder = dirname(file)
  const found = statOf(file)
  if (found?.isDirectory()) return 'it is a folder. Name a file in it.'
  const parent = statOf(folder)
  if (!parent) return `the folder ${folder} does not exist. Create it first: mkdir -p ${folder}`
  if (!parent.isDirectory()) return `${folder} is not a folder. Name a file in a folder.`
  if (found && !may(file, constants.R_OK | constants.W_OK))
    return 'this user may not read and write it. Change its owner or its mode.'
  if (!may(folder, constants.W_OK | constants.X_OK))
    return `this user may not write in the folder ${folder}. Change its owner or its mode, or use another folder.`
  return undefined
}

function statOf(path: string) {
  return orUndefined(() => statSync(path))
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
