/** The work of a check in pieces: a file each, or a range of a large data set. */
import { formatById } from '../../session-files/index.ts'
import { checkDataSet, dataSetFormat } from '../histories/index.ts'
import { type CheckOptions, checkFile } from './check-file.ts'
import type { SizedFile } from './pool.ts'
import { rangesOf } from './ranges.ts'
import { type FileReport, unreadable } from './report.ts'

export interface Task {
  /** Place in the list of files. */
  readonly file: number
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Only the lines that begin in these bytes of a data set in this format. */
  readonly part?: { readonly format: string; readonly range: readonly [number, number] }
}

/** Checking a session of this size may need more memory than there is. */
const LARGE = 100 * 1024 * 1024

/** A session that does not fit into memory ends its worker instead of the process. */
export function needsWorker({ size, part }: Task): boolean {
  return size >= LARGE && !part
}

/** The tasks for workers first, then the largest, so that no thread has much left when the others have finished. */
export function tasksOf(files: readonly SizedFile[], wanted: string | undefined): readonly Task[] {
  const tasks = files.flatMap(({ path, size }, file): Task[] => {
    const format = dataSetOrNone(path, size, wanted)
    if (format === undefined) return [{ file, path, size }]
    return rangesOf(size).map((range) => ({ file, path, size: range[1] - range[0], part: { format, range } }))
  })
  return tasks.sort((a, b) => Number(needsWorker(b)) - Number(needsWorker(a)) || b.size - a.size)
}

function dataSetOrNone(path: string, size: number, wanted: string | undefined): string | undefined {
  try {
    return dataSetFormat(path, size, wanted)?.id
  } catch {
    // The check of the file gives the reason.
    return undefined
  }
}

export async function runTask({ path, part }: Task, options: CheckOptions): Promise<FileReport> {
  try {
    return part ? checkDataSet(path, formatById(part.format), part.range, options) : await checkFile(path, options)
  } catch (error) {
    return unreadable(path, (error as Error).message)
  }
}
