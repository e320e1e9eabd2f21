/**
 * Checks many files, in this thread or in several. Small amounts of work stay here: a thread costs more to start than they take.
 */
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { CheckOptions } from './check-file.ts'
import { type FileReport, unreadable } from './report.ts'

export interface Task {
  readonly path: string
  /** Only the lines that begin in these bytes. */
  readonly range?: readonly [number, number] | undefined
  readonly options: CheckOptions
}

export interface TaskResult {
  readonly id: number
  readonly report: FileReport
}

export interface PoolOptions {
  readonly concurrency?: number | undefined
  /** The module that a worker starts with. */
  readonly entry: string
  readonly onDone?: (report: FileReport, done: number) => void
}

const WORTH_A_THREAD = 24 * 1024 * 1024
const MOST_THREADS = 8

/** Reports in the order of the paths. */
export async function checkFiles(
  paths: readonly string[],
  options: CheckOptions,
  pool: PoolOptions,
): Promise<readonly FileReport[]> {
  const sizes = paths.map(sizeOf)
  const total = sizes.reduce((all, size) => all + size, 0)
  const wanted = pool.concurrency ?? (total < WORTH_A_THREAD ? 1 : Math.min(availableParallelism(), MOST_THREADS))
  const { checkFile } = await import('./check-file.ts')
  if (wanted <= 1) return inThisThread(paths, options, pool, checkFile)
  const { isLargeDataSet, joinReports } = await import('./data-set.ts')
  const tasks: (Task & { readonly file: number })[] = []
  paths.forEach((path, file) => {
    const size = sizes[file]!
    const isSplit = safely(() => isLargeDataSet(path, size))
    if (!isSplit) tasks.push({ path, options, file })
    else for (const range of rangesOf(size, wanted)) tasks.push({ path, range, options, file })
  })
  const reports = await inWorkers(tasks, Math.min(wanted, tasks.length), pool)
  return paths.map((path, file) => {
    const parts = reports.filter((_report, i) => tasks[i]!.file === file)
    const joined = parts.length === 1 ? parts[0]! : joinReports(parts)
    return { ...joined, path, size: sizes[file]!, mtimeMs: safely(() => statSync(path).mtimeMs) ?? 0 }
  })
}

async function inThisThread(
  paths: readonly string[],
  options: CheckOptions,
  { onDone }: PoolOptions,
  check: (path: string, options: CheckOptions) => Promise<FileReport>,
): Promise<readonly FileReport[]> {
  const reports: FileReport[] = []
  for (const path of paths) {
    const report = await check(path, options)
    reports.push(report)
    onDone?.(report, reports.length)
    // Signals and progress get their turn.
    await new Promise(setImmediate)
  }
  return reports
}

/** A thread that fails (out of memory, mostly) costs one report; a fresh one goes on with the rest. */
function inWorkers(tasks: readonly Task[], count: number, { entry, onDone }: PoolOptions): Promise<FileReport[]> {
  const reports: FileReport[] = []
  const workers = new Set<Worker>()
  let next = 0
  let done = 0
  return new Promise((resolve) => {
    const finish = (id: number, report: FileReport): boolean => {
      reports[id] = report
      onDone?.(report, ++done)
      if (done < tasks.length) return false
      for (const worker of workers) void worker.terminate()
      resolve(reports)
      return true
    }
    const startWorker = () => {
      const worker = new Worker(new URL(entry), { argv: ['__worker'] })
      workers.add(worker)
      let busy = -1
      const give = () => {
        if (next >= tasks.length) return
        busy = next++
        worker.postMessage({ id: busy, ...tasks[busy]! })
      }
      worker.on('message', ({ id, report }: TaskResult) => {
        if (!finish(id, report)) give()
      })
      worker.on('error', (error) => {
        workers.delete(worker)
        const report = unreadable(tasks[busy]!.path, `The file could not be checked: ${error.message}.`)
        if (!finish(busy, report) && next < tasks.length) startWorker()
      })
      give()
    }
    for (let i = 0; i < count; i++) startWorker()
    if (tasks.length === 0) resolve(reports)
  })
}

/** Four ranges for each thread: none waits long for the slowest. */
function rangesOf(size: number, threads: number): [number, number][] {
  const count = threads * 4
  const step = Math.ceil(size / count)
  return Array.from({ length: count }, (_, i) => [i * step, Math.min(size, (i + 1) * step)] as [number, number]).filter(
    ([from, to]) => from < to,
  )
}

function sizeOf(path: string): number {
  return safely(() => statSync(path).size) ?? 0
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
