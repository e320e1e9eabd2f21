/**
 * Time that the main thread has spent on a processor, in milliseconds. A busy machine stretches the wall clock, and
 * `process.cpuUsage` counts the collector's own threads: with two of them a parse seems to take twice what it does.
 */
import { readFileSync } from 'node:fs'

const own = `/proc/self/task/${process.pid}/schedstat`

/** Linux tells it for each thread; elsewhere the whole process has to do. */
export function spent(): number {
  try {
    return Number.parseInt(readFileSync(own, 'utf8'), 10) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e3
  }
}

/** What some work took by both clocks. */
export interface Took {
  readonly wall: number
  readonly cpu: number
}

export function timed<T>(work: () => T): Took & { readonly value: T } {
  const cpu = spent()
  const wall = performance.now()
  const value = work()
  return { wall: performance.now() - wall, cpu: spent() - cpu, value }
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!
}
