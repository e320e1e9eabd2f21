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
const LARGE = 100 * 1024 * 1024

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
  pool: PoolOptions,
  total: number,
): Promise<readonly FileReport[]> {
  const { checkFile } = await import('./check-file.ts')
  const reports: FileReport[] = []
  let done = 0
  const progress = async (bytes: number) => {
    done += bytes
    pool.onProgress?.(done, total)
    // Signals get their turn.
    await new Promise(setImmediate)
  }
  for (const file of files) {
    const isSmall = file.size < LARGE
    reports.push(isSmall ? await checkFile(file.path, options) : await checkLarge(file, options, pool, progress))
    if (isSmall) await progress(file.size)
  }
  return reports
}

/** A data set in ranges. Another file in a worker: a session that does not fit into memory ends the worker, and not this process. */
async function checkLarge(
  file: SizedFile,
  options: CheckOptions,
  pool: PoolOptions,
  progress: (bytes: number) => Promise<void>,
): Promise<FileReport> {
  const { path, size } = file
  const { checkDataSet, dataSetFormat } = await import('./data-set.ts')
  const format = dataSetFormat(path, size, options.format)
  if (!format) {
    const { checkInWorkers } = await import('./worker-pool.ts')
    const [report] = await checkInWorkers([file], options, { entry: pool.entry }, 1)
    await progress(size)
    return report!
  }
  const { joinReports, rangesOf } = await import('./ranges.ts')
  const parts: FileReport[] = []
  for (const range of rangesOf(size)) {
    parts.push(checkDataSet(path, format, range, options))
    await progress(range[1] - range[0])
  }
  return { ...joinReports(parts), size }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
