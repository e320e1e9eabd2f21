/** Only regular files are opened: opening a FIFO waits for a writer, and a device has no end. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { orUndefined, SutureError } from '../../core/index.ts'

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

/** At most this many bytes of its beginning. */
export function headOf(path: string, most: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(most)
    return head.subarray(0, readSync(file, head, 0, most, 0))
  } finally {
    closeSync(file)
  }
}

/**
 * Makes a folder and those above it. Not `recursive`: where no folder can be made (below /proc), Node 20 tries again
 * without end.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** The names in a folder; empty if it cannot be listed. */
export function namesIn(folder: string): readonly string[] {
  return orUndefined(() => readdirSync(folder)) ?? []
}
