/** Reports of unchanged files: same size, times and inode, checked by the same version with the same options. */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orUndefined } from '../../core/or-undefined.ts'
import { makeFolder } from '../../session-files/node/regular-file.ts'
import type { CheckOptions } from './check-file.ts'
import type { FileReport } from './report.ts'

interface Stored {
  readonly stamp: string
  readonly report: FileReport
}

/** Files beyond this many are checked each time. */
const MOST_ENTRIES = 20_000

export class ReportCache {
  private readonly path: string
  private readonly entries: Map<string, Stored>
  private isChanged = false

  constructor(folder: string, version: string, options: CheckOptions) {
    const key = createHash('sha256')
      .update(JSON.stringify([version, options]))
      .digest('hex')
      .slice(0, 16)
    this.path = join(folder, `reports-${key}.json`)
    this.entries = new Map(readEntries(this.path))
  }

  get(path: string): FileReport | undefined {
    const stored = this.entries.get(path)
    const stamp = stored && stampOf(path)
    return stamp !== undefined && stored?.stamp === stamp ? stored.report : undefined
  }

  /** Files that were changed within the last seconds are not stored: a second change could leave the same stamp. */
  set(report: FileReport, now: number = Date.now()): void {
    const stamp = stampOf(report.path)
    if (stamp === undefined || report.status === 'unreadable' || now - report.mtimeMs < 2000) return
    this.entries.set(report.path, { stamp, report })
    this.isChanged = true
  }

  /** A cache that cannot be written is ignored. */
  save(): void {
    if (!this.isChanged) return
    try {
      const list = [...this.entries].slice(-MOST_ENTRIES)
      const next = `${this.path}.${process.pid}`
      makeFolder(dirname(this.path), 0o700)
      writeFileSync(next, JSON.stringify(list), { mode: 0o600 })
      renameSync(next, this.path)
    } catch {
      rmSync(`${this.path}.${process.pid}`, { force: true })
    }
  }
}

function readEntries(path: string): [string, Stored][] {
  const list: unknown = orUndefined(() => JSON.parse(readFileSync(path, 'utf8')))
  return Array.isArray(list) ? (list as [string, Stored][]) : []
}

/** Differs after each change of the file; undefined if there is no file. */
export function stampOf(path: string): string | undefined {
  const found = orUndefined(() => statSync(path))
  return found && [found.size, found.mtimeMs, found.ctimeMs, found.ino].join(' ')
}
