/**
 * The worker's side of checking files in several threads: one request, one report, until the main thread ends it.
 */
import { parentPort } from 'node:worker_threads'
import { checkFile } from './check-file.ts'
import { checkDataSet } from './data-set.ts'
import type { Task, TaskResult } from './pool.ts'
import { unreadable } from './report.ts'

parentPort?.on('message', async ({ id, path, range, options }: Task & { readonly id: number }) => {
  let result: TaskResult
  try {
    const report = range ? checkDataSet(path, range[0], range[1], options) : await checkFile(path, options)
    result = { id, report }
  } catch (error) {
    result = { id, report: unreadable(path, (error as Error).message) }
  }
  parentPort?.postMessage(result)
})
