/** Metrics of the process, with the names that Prometheus clients use. */
import { readdirSync } from 'node:fs'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

export interface ProcessMetric {
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly value: number
}

const STARTED = performance.timeOrigin / 1000
const NANOSECONDS = 1e9
/** Sampling interval of the event loop in milliseconds: shorter delays are not seen. */
const RESOLUTION = 20

/** Measures the event loop from the first scrape on. */
let delays: IntervalHistogram | undefined

export function processMetrics(): Readonly<Record<string, ProcessMetric>> {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const cpu = (user + system) / 1e6
  return {
    process_cpu_seconds_total: counter('User and system CPU time spent in seconds.', cpu),
    process_resident_memory_bytes: gauge('Resident memory size in bytes.', rss),
    process_start_time_seconds: gauge('Start time of the process since the Unix epoch in seconds.', STARTED),
    ...openFiles(),
    nodejs_heap_size_used_bytes: gauge('Heap in use in bytes.', heapUsed),
    nodejs_heap_size_total_bytes: gauge('Heap size in bytes.', heapTotal),
    nodejs_external_memory_bytes: gauge('Memory of buffers and other objects outside the heap in bytes.', external),
    ...eventLoop(),
  }
}

/** Since the last scrape. */
function eventLoop(): Record<string, ProcessMetric> {
  delays ??= watched()
  const lag = (help: string, nanoseconds: number) => {
    const seconds = delays!.count === 0 ? 0 : nanoseconds / NANOSECONDS - RESOLUTION / 1000
    return gauge(`${help} of the event loop since the last scrape.`, Math.max(0, seconds))
  }
  const found = {
    nodejs_eventloop_lag_mean_seconds: lag('Mean delay', delays.mean),
    nodejs_eventloop_lag_p99_seconds: lag('99th percentile of the delay', delays.percentile(99)),
    nodejs_eventloop_lag_max_seconds: lag('Longest delay', delays.max),
  }
  delays.reset()
  return found
}

function watched(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  return histogram
}

/** The folder in which the system lists open files. */
function openFiles(): Record<string, ProcessMetric> {
  try {
    return { process_open_fds: gauge('Number of open file descriptors.', readdirSync('/proc/self/fd').length) }
  } catch {
    return {}
  }
}

function counter(help: string, value: number): ProcessMetric {
  return { type: 'counter', help, value }
}

function gauge(help: string, value: number): ProcessMetric {
  return { type: 'gauge', help, value }
}
