/** One check of many files. While the workers start, this thread lists the tasks; then it does tasks, too. */
import type { Worker } from 'node:worker_threads'
import { sentence } from '../error-text.ts'
import type { CheckOptions } from './check-file.ts'
import type { Task } from './check-task.ts'
import type { PoolOptions, SizedFile } from './pool.ts'
import { joinReports } from './ranges.ts'
import { type FileReport, unreadable } from './report.ts'
import { TaskQueue } from './task-queue.ts'
import type { TaskResult, WorkerOrder } from './worker.ts'

export class CheckRun {
  private readonly files: readonly SizedFile[]
  private readonly options: CheckOptions
  private readonly pool: PoolOptions
  private readonly threads: number
  private readonly total: number
  private readonly workers = new Map<number, Worker>()
  private tasks: readonly Task[] = []
  private queue = TaskQueue.of(0, 0, 0)
  /** By task; a file in ranges has several. */
  private readonly done: FileReport[] = []
  private open = 0
  private bytes = 0
  private finished: () => void = () => {}
  /** Why a worker could not be started. */
  private failure: string | undefined

  constructor(files: readonly SizedFile[], options: CheckOptions, pool: PoolOptions, threads: number) {
    this.files = files
    this.options = options
    this.pool = pool
    this.threads = threads
    this.total = files.reduce((all, { size }) => all + size, 0)
  }

  async reports(): Promise<readonly FileReport[]> {
    if (this.threads > 1) await this.startWorkers(this.threads - 1)
    const { needsWorker, runTask, tasksOf } = await import('./check-task.ts')
    this.tasks = tasksOf(this.files, this.options.format)
    this.open = this.tasks.length
    const large = this.tasks.filter(needsWorker).length
    // One thread, and a session that needs a worker: the worker does all of it.
    const isHere = this.threads > 1 || large === 0
    this.queue = TaskQueue.of(large, this.tasks.length, Math.max(1, this.threads - 1))
    if (!isHere) await this.startWorkers(1)
    const ended = new Promise<void>((resolve) => (this.finished = resolve))
    for (const [index, worker] of this.workers) this.order(index, worker)
    this.giveUp()
    if (isHere) await this.workHere((task) => runTask(task, this.options))
    if (this.open > 0) await ended
    for (const worker of this.workers.values()) void worker.terminate()
    return this.joined()
  }

  private async workHere(run: (task: Task) => Promise<FileReport>): Promise<void> {
    for (let index = this.queue.next(); index !== undefined; index = this.queue.next()) {
      this.finish(index, await run(this.tasks[index]!))
      // Lets signals and messages of workers be handled.
      await new Promise(setImmediate)
    }
  }

  private async startWorkers(count: number): Promise<void> {
    const { Worker } = await import('node:worker_threads')
    for (let index = 0; index < count; index++) this.startWorker(index, Worker)
  }

  private startWorker(index: number, WorkerClass: typeof Worker): void {
    const worker = new WorkerClass(new URL(this.pool.entry), { argv: ['__worker'] })
    this.workers.set(index, worker)
    worker.on('message', ({ index: task, report }: TaskResult) => this.finish(task, report))
    worker.on('error', (error) => this.failed(index, WorkerClass, reasonOf(error)))
  }

  private order(worker: number, thread: Worker): void {
    const { tasks, options, queue } = this
    const order: WorkerOrder = { worker, tasks, options, queue: queue.shared }
    thread.postMessage(order)
  }

  /** A worker that fails (mostly out of memory) loses one report; a new worker continues with the other tasks. */
  private failed(index: number, WorkerClass: typeof Worker, reason: string): void {
    this.workers.delete(index)
    const task = this.queue.takenBy(index)
    if (task === undefined) {
      this.failure = reason
      this.giveUp()
      return
    }
    this.finish(task, unreadable(this.tasks[task]!.path, reason))
    if (this.open === 0) return
    this.startWorker(index, WorkerClass)
    this.order(index, this.workers.get(index)!)
  }

  /** If no worker can be started, tasks that need one are reported as unreadable. */
  private giveUp(): void {
    const { failure: reason, workers } = this
    if (reason === undefined || workers.size > 0) return
    this.tasks.forEach(({ path }, index) => {
      const isLeft = this.threads === 1 || index < this.queue.shared.large
      if (isLeft && !this.done[index]) this.finish(index, unreadable(path, reason))
    })
  }

  private finish(index: number, report: FileReport): void {
    this.done[index] = report
    this.bytes += this.tasks[index]!.size
    this.pool.onProgress?.(this.bytes, this.total)
    if (--this.open === 0) this.finished()
  }

  private joined(): readonly FileReport[] {
    const parts: { readonly task: Task; readonly report: FileReport }[][] = this.files.map(() => [])
    this.tasks.forEach((task, index) => {
      parts[task.file]!.push({ task, report: this.done[index]! })
    })
    return parts.map((own, file) => {
      if (!own[0]!.task.part) return own[0]!.report
      const inOrder = own.sort((a, b) => a.task.part!.range[0] - b.task.part!.range[0])
      return { ...joinReports(inOrder.map(({ report }) => report)), ...this.files[file]! }
    })
  }
}

function reasonOf(error: Error): string {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY')
    return `It could not be checked: ${sentence(error)}`
  return 'It needs more memory than Node may use here. Give it more: NODE_OPTIONS=--max-old-space-size=8192'
}
