/**
 * Checks files in several threads. This thread loads no format and checks nothing: it starts the workers at once and hands out tasks.
 * A large data set is handed out in ranges, after a worker has found that it is one.
 */
import { Worker } from 'node:worker_threads'
import type { CheckOptions } from './check-file.ts'
import type { PoolOptions, SizedFile } from './pool.ts'
import { joinReports, rangesOf } from './ranges.ts'
import { type FileReport, unreadable } from './report.ts'

export interface Task {
  /** Place in the list of tasks. */
  readonly id: number
  /** Place in the list of files. */
  readonly file: number
  readonly path: string
  readonly size: number
  /** Only the lines that begin in these bytes of a data set in this format. */
  readonly part?: { readonly format: string; readonly range: readonly [number, number] }
  readonly options: CheckOptions
}

/** A report, or the format of a data set that is to be checked in ranges. */
export type TaskResult =
  | { readonly id: number; readonly report: FileReport }
  | { readonly id: number; readonly dataSet: string }

export function checkInWorkers(
  files: readonly SizedFile[],
  options: CheckOptions,
  pool: PoolOptions,
  threads: number,
): Promise<readonly FileReport[]> {
  return new Promise((resolve) => new WorkerPool(files, options, pool, resolve).start(threads))
}

class WorkerPool {
  private readonly files: readonly SizedFile[]
  private readonly pool: PoolOptions
  private readonly resolve: (reports: readonly FileReport[]) => void
  private readonly total: number
  private readonly tasks: Task[] = []
  /** By task; a file in ranges has several. */
  private readonly reports: (FileReport | undefined)[] = []
  /** What each worker does; undefined: it waits. */
  private readonly workers = new Map<Worker, Task | undefined>()
  private next = 0
  private open = 0
  private bytes = 0

  constructor(
    files: readonly SizedFile[],
    options: CheckOptions,
    pool: PoolOptions,
    resolve: (reports: readonly FileReport[]) => void,
  ) {
    this.files = files
    this.pool = pool
    this.resolve = resolve
    this.total = files.reduce((all, { size }) => all + size, 0)
    files.forEach(({ path, size }, file) => {
      this.add({ file, path, size, options })
    })
  }

  start(threads: number): void {
    const parts = this.files.reduce((all, { size }) => all + Math.max(1, rangesOf(size).length), 0)
    for (let i = 0; i < Math.min(threads, parts); i++) this.startWorker()
  }

  private add(task: Omit<Task, 'id'>): void {
    this.tasks.push({ id: this.tasks.length, ...task })
    this.open++
  }

  /** A thread that fails (out of memory, mostly) costs one report; a fresh one goes on with the rest. */
  private startWorker(): void {
    const worker = new Worker(new URL(this.pool.entry), { argv: ['__worker'] })
    this.give(worker)
    worker.on('message', (result: TaskResult) => {
      const task = this.workers.get(worker)!
      if ('report' in result) this.finish(task, result.report)
      else this.split(task, result.dataSet)
      this.give(worker)
    })
    worker.on('error', (error) => {
      const task = this.workers.get(worker)
      this.workers.delete(worker)
      if (task) this.finish(task, unreadable(task.path, reasonOf(error)))
      if (this.next < this.tasks.length) this.startWorker()
    })
  }

  private give(worker: Worker): void {
    const task = this.tasks[this.next]
    this.workers.set(worker, task)
    if (!task) return
    this.next++
    worker.postMessage(task)
  }

  /** The file in ranges, for all threads. */
  private split({ file, path, size, options }: Task, format: string): void {
    for (const range of rangesOf(size)) this.add({ file, path, size, options, part: { format, range } })
    this.open--
    for (const [worker, task] of this.workers) if (!task) this.give(worker)
  }

  private finish({ id, part, size }: Task, report: FileReport): void {
    this.reports[id] = report
    this.bytes += part ? part.range[1] - part.range[0] : size
    this.pool.onProgress?.(this.bytes, this.total)
    if (--this.open > 0) return
    for (const worker of this.workers.keys()) void worker.terminate()
    this.resolve(this.joined())
  }

  private joined(): readonly FileReport[] {
    const parts: FileReport[][] = this.files.map(() => [])
    for (const { id, file } of this.tasks) {
      const report = this.reports[id]
      if (report) parts[file]!.push(report)
    }
    return parts.map((own, file) => {
      const { path, size } = this.files[file]!
      const [first] = own
      if (own.length === 1 || first === undefined) return first ?? unreadable(path, 'It was not checked.')
      return { ...joinReports(own), path, size }
    })
  }
}

function reasonOf(error: Error): string {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY')
    return `It could not be checked: ${error.message}.`
  return 'It needs more memory than Node may use here. Give it more: NODE_OPTIONS=--max-old-space-size=8192'
}
