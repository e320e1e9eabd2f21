/**
 * Checks many files, in this thread or in several. Small amounts of work stay here: a thread costs more to start than they take.
 */
import { statSync } from 'node:fs'
import type { CheckOptions } from './check-file.ts'
import type { FileReport } from './report.ts'

export interface PoolOptions {
  readonly concurrency?: number | undefined
  /** The module that a worker starts with. */
  readonly entry: string
  /** How many of the bytes are checked. */
  readonly onProgress?: (done: number, total: number) => void
}

/** A file with its size when the run began. */
export interface SizedFile {
  readonly path: string
  readonly size: number
}

const WORTH_A_THREAD = 24 * 1024 * 1024
const MOST_THREADS = 8
const LARGE_SESSION = 200 * 1024 * 1024

/** Reports in the order of the paths. */
export async function checkFiles(
  paths: readonly string[],
  options: CheckOptions,
  pool: PoolOptions,
): Promise<readonly FileReport[]> {
  if (paths.length === 0) return []
  const files = paths.map((path) => ({ path, size: sizeOf(path) }))
  const total = files.reduce((all, { size }) => all + size, 0)
  const threads = pool.concurrency ?? (total < WORTH_A_THREAD ? 1 : await mostThreads())
  return threads <= 1
    ? inThisThread(files, options, pool, total)
    : (await import('./worker-pool.ts')).checkInWorkers(files, options, pool, threads)
}

async function mostThreads(): Promise<number> {
  return Math.min((await import('node:os')).availableParallelism(), MOST_THREADS)
}

async function inThisThread(
  files: readonly SizedFile[],
  options: CheckOptions,
  { onProgress, entry }: PoolOptions,
  total: number,
): Promise<readonly FileReport[]> {
  const { checkFile } = await import('./check-file.ts')
  const reports: FileReport[] = []
  let done = 0
  for (const { path, size } of files) {
    reports.push(
      size < LARGE_SESSION ? await checkFile(path, options) : await checkLarge({ path, size }, options, entry),
    )
    done += size
    onProgress?.(done, total)
    // Signals and progress get their turn.
    await new Promise(setImmediate)
  }
  return reports
}

/** A session that does not fit into memory ends a worker, and not this process. A data set needs little memory. */
async function checkLarge({ path, size }: SizedFile, options: CheckOptions, entry: string): Promise<FileReport> {
  const [{ checkFile }, { dataSetFormat }] = await Promise.all([import('./check-file.ts'), import('./data-set.ts')])
  if (dataSetFormat(path, size, options.format)) return checkFile(path, options)
  const { checkInWorkers } = await import('./worker-pool.ts')
  return (await checkInWorkers([{ path, size }], options, { entry }, 1))[0]!
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
