/**
 * Checks many files, in this thread or in several. A small amount of work is done here: starting a thread costs more.
 */

import { statSync } from 'node:fs'
import { orUndefined } from '../../core/or-undefined.ts'
import type { CheckOptions } from './check-file.ts'
import { rangesOf } from './ranges.ts'
import type { FileReport } from './report.ts'

export interface PoolOptions {
  readonly concurrency?: number | undefined
  /** The module that a worker starts with. */
  readonly entry: string
  /** In bytes. */
  readonly onProgress?: (done: number, total: number) => void
}

/** A file with its size when the run began. */
export interface SizedFile {
  readonly path: string
  readonly size: number
}

const WORTH_A_THREAD = 24 * 1024 * 1024
const MOST_THREADS = 8

/** Reports in the order of the paths. */
export async function checkFiles(
  paths: readonly string[],
  options: CheckOptions,
  pool: PoolOptions,
): Promise<readonly FileReport[]> {
  if (paths.length === 0) return []
  const files = paths.map((path) => ({ path, size: sizeOf(path) }))
  const total = files.reduce((all, { size }) => all + size, 0)
  const wanted = pool.concurrency ?? (total < WORTH_A_THREAD ? 1 : await mostThreads())
  const parts = files.reduce((all, { size }) => all + Math.max(1, rangesOf(size).length), 0)
  const { CheckRun } = await import('./check-threads.ts')
  return new CheckRun(files, options, pool, Math.max(1, Math.min(wanted, parts))).reports()
}

async function mostThreads(): Promise<number> {
  return Math.min((await import('node:os')).availableParallelism(), MOST_THREADS)
}

function sizeOf(path: string): number {
  return orUndefined(() => statSync(path).size) ?? 0
}
