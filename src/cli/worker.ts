/**
 * The worker's side of checking files in several threads: one task, one result, until the main thread ends it.
 */
import { parentPort } from 'node:worker_threads'
import { formatById } from '../session-files/index.ts'
import { checkFile } from './check-file.ts'
import { checkDataSet, dataSetFormat } from './data-set.ts'
import { unreadable } from './report.ts'
import type { Task, TaskResult } from './worker-pool.ts'

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await resultOf(task))
})

async function resultOf({ id, path, size, part, options }: Task): Promise<TaskResult> {
  try {
    if (part) return { id, report: checkDataSet(path, formatById(part.format), part.range, options) }
    const dataSet = dataSetFormat(path, size, options.format)
    return dataSet ? { id, dataSet: dataSet.id } : { id, report: await checkFile(path, options) }
  } catch (error) {
    return { id, report: unreadable(path, (error as Error).message) }
  }
}
