/** Only regular files are opened: opening a FIFO waits for a writer, and a device has no end. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { SutureError } from '../../core/index.ts'

/** What a path leads to, if that is not a regular file. */
export function otherKind(found: Stats): string | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe (FIFO)'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/** Throws `bad-option` for everything else; `ENOENT` if there is nothing. */
export function checkRegular(path: string): void {
  const kind = otherKind(statSync(path))
  if (kind === undefined) return
  const step = kind === 'a folder' ? 'Name a file.' : 'Name a file, or use standard input where a command takes "-".'
  throw new SutureError('bad-option', `${path} is ${kind}, not a file. ${step}`)
}

export function readRegular(path: string): Buffer {
  checkRegular(path)
  return readFileSync(path)
}

/** The names in a folder; empty if it cannot be listed. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
