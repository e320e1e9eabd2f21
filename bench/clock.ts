/**
 * Processor time in milliseconds: of the main thread if Node reports it (`process.threadCpuUsage`), otherwise of the
 * whole process, including the collector's helper threads. A busy machine stretches the wall clock, but not these.
 */
const usage: () => NodeJS.CpuUsage =
  (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.bind(process) ?? (() => process.cpuUsage())

export function spent(): number {
  const { user, system } = usage()
  return (user + system) / 1e3
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
