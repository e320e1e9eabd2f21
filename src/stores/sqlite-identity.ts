/**
 * Notices that the file of an open database, or its journal, was deleted or replaced. SQLite does not: it continues to
 * write to a file without a path, and what it has acknowledged is lost when the handle is closed. A file that is
 * overwritten in place is not noticed.
 */
import { statSync } from 'node:fs'
import { SutureError } from '../core/index.ts'

export class FileIdentity {
  /** By path: device and inode. While the old file is open, no other file can have its inode. */
  private readonly known = new Map<string, string>()

  /** `file` is empty for an in-memory database. */
  constructor(file: string) {
    if (file === '') return
    for (const path of [file, `${file}-wal`]) {
      const id = identityOf(path)
      if (id !== undefined && id !== UNKNOWN) this.known.set(path, id)
    }
  }

  /** Throws if the path leads to another file, or to none. `op`: just committed, maybe to a file that was moved. */
  check(op?: string): void {
    const file = this.lost()
    if (file === undefined) return
    const message = `${file} was deleted or replaced while it was open. Put it back, or open the store again.`
    if (op === undefined) throw new SutureError('store-failed', `${message} Nothing was written.`, { file })
    throw new SutureError('unknown-outcome', `${message} The latest write may be lost.`, { file, operationId: op })
  }

  private lost(): string | undefined {
    for (const [path, id] of this.known) {
      const now = identityOf(path)
      if (now !== id && now !== UNKNOWN) return path
    }
    return undefined
  }
}

/** The folder cannot be read, so nothing is known about the file. */
const UNKNOWN = 'unknown'

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  } catch {
    return UNKNOWN
  }
}
