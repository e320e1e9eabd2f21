/** The worker of a check in several threads: takes tasks until there are no more, and sends a report for each. */
import { parentPort } from 'node:worker_threads'
import type { CheckOptions } from './check-file.ts'
import { runTask, type Task } from './check-task.ts'
import type { FileReport } from './report.ts'
import { type SharedQueue, TaskQueue } from './task-queue.ts'

export interface WorkerOrder {
  readonly worker: number
  readonly tasks: readonly Task[]
  readonly options: CheckOptions
  readonly queue: SharedQueue
}

export interface TaskResult {
  readonly index: number
  readonly report: FileReport
}

parentPort?.once('message', async ({ worker, tasks, options, queue }: WorkerOrder) => {
  const own = new TaskQueue(queue)
  for (let index = own.nextOfWorker(worker); index !== undefined; index = own.nextOfWorker(worker)) {
    const result: TaskResult = { index, report: await runTask(tasks[index]!, options) }
    parentPort?.postMessage(result)
  }
})
