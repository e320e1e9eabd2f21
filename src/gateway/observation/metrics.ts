/**
 * Counters and histograms in the text format of Prometheus. Labels are fixed names and configured names of upstreams
 * and keys: never content, and never a value that a client chooses.
 */
import { processMetrics } from './process-metrics.ts'

type Labels = Readonly<Record<string, string>>

/** Every metric with its help. Counters end in `_total`, histograms in `_seconds`; the others are gauges. */
const METRICS = {
  suture_requests_total: 'Requests by upstream, mode and status.',
  suture_request_seconds: 'Time from the first byte of a request to the last byte of its response.',
  suture_overhead_seconds: 'Time from the last byte of a request to its forwarding: the latency that the gateway adds.',
  suture_first_byte_seconds: 'Time from the forwarding of a request to the first byte for the client.',
  suture_findings_total: 'Errors found in histories, by rule.',
  suture_repaired_total: 'Requests that were repaired before they were sent.',
  suture_rejections_total: 'Rejections by upstreams, by kind.',
  suture_recoveries_total: 'Recoveries after rejections, by recovery.',
  suture_incomplete_total: 'Responses that did not reach their end.',
  suture_passed_total: 'Requests that the guard passed on without checking them, by reason.',
  suture_failures_total: 'Steps of the gateway that failed; the request continued without them.',
  suture_gateway_errors_total: 'Errors of the gateway itself, by code.',
  suture_session_writes_total: 'Writes to sessions, by outcome.',
  suture_input_tokens_total: 'Prompt tokens as providers report them, including cached ones, by upstream and key name.',
  suture_output_tokens_total: 'Output tokens as providers report them, by upstream and key name.',
  suture_cached_input_tokens_total:
    'Prompt tokens that providers report as read from a cache; input tokens include them.',
  suture_in_flight: 'Requests that are being served.',
  suture_buffered_bytes: 'Bytes of requests and responses that are held in memory.',
  suture_build_info: 'The version, as a label of the value 1.',
  suture_draining: '1 while the gateway is shutting down, otherwise 0.',
} as const

export type MetricName = keyof typeof METRICS

function typeOf(name: string): 'counter' | 'histogram' | 'gauge' {
  if (name.endsWith('_total')) return 'counter'
  return name.endsWith('_seconds') ? 'histogram' : 'gauge'
}

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** A counter or a gauge. */
export interface Count {
  value: number
}

/** A histogram of durations. */
export class Histogram {
  readonly counts: number[] = BOUNDS.map(() => 0)
  sum = 0
  count = 0

  add(seconds: number): void {
    let at = 0
    while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++
    if (at < BOUNDS.length) this.counts[at]!++
    this.sum += seconds
    this.count++
  }
}

/** The metrics of one upstream, looked up once. */
export interface Measures {
  readonly labels: Labels
  readonly whole: Histogram
  readonly added: Histogram
  readonly first: Histogram
  /** By mode, then by status. */
  readonly requests: Map<string, Map<number, Count>>
}

export class Metrics {
  private readonly values = new Map<MetricName, Map<string, Count>>()
  private readonly histograms = new Map<MetricName, Map<string, Histogram>>()
  private readonly measures = new Map<string, Measures>()
  readonly inFlight = this.count('suture_in_flight')
  readonly buffered = this.count('suture_buffered_bytes')
  readonly draining = this.count('suture_draining')

  add(name: MetricName, labels: Labels = {}, by = 1): void {
    this.count(name, labels).value += by
  }

  of(upstream: string, emulator: boolean): Measures {
    return found(this.measures, upstream, () => this.measured(upstream, emulator))
  }

  request({ labels, requests }: Measures, mode: string, status: number): void {
    let count = requests.get(mode)?.get(status)
    if (!count) {
      count = this.count('suture_requests_total', { ...labels, mode, status: String(status) })
      found(requests, mode, () => new Map<number, Count>()).set(status, count)
    }
    count.value++
  }

  private count(name: MetricName, labels: Labels = {}): Count {
    return found(into(this.values, name), keyOf(labels), () => ({ value: 0 }))
  }

  private measured(upstream: string, emulator: boolean): Measures {
    const labels = upstreamLabels(upstream, emulator)
    const time = (name: MetricName) => found(into(this.histograms, name), keyOf(labels), () => new Histogram())
    return {
      labels,
      whole: time('suture_request_seconds'),
      added: time('suture_overhead_seconds'),
      first: time('suture_first_byte_seconds'),
      requests: new Map<string, Map<number, Count>>(),
    }
  }

  /** The text of `/suture/metrics`. */
  text(): string {
    const lines: string[] = []
    for (const [name, help] of Object.entries(METRICS) as [MetricName, string][]) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${typeOf(name)}`)
      for (const [key, { value }] of this.values.get(name) ?? []) lines.push(`${name}${braced(key)} ${value}`)
      for (const [key, one] of this.histograms.get(name) ?? [])
        if (one.count > 0) lines.push(...histogramLines(name, key, one))
    }
    for (const [name, { type, help, value }] of Object.entries(processMetrics()))
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`)
    return lines.join('\n') + '\n'
  }
}

/** The label `emulator` is there only if an emulator answers. */
export function upstreamLabels(upstream: string, emulator: boolean): Labels {
  return emulator ? { upstream, emulator: 'true' } : { upstream }
}

function into<T>(all: Map<MetricName, Map<string, T>>, name: MetricName): Map<string, T> {
  return found(all, name, () => new Map<string, T>())
}

function found<K, V>(all: Map<K, V>, key: K, make: () => V): V {
  let one = all.get(key)
  if (one === undefined) {
    one = make()
    all.set(key, one)
  }
  return one
}

function histogramLines(name: string, key: string, { counts, sum, count }: Histogram): string[] {
  const joined = (rest: string) => braced(key === '' ? rest : `${key},${rest}`)
  let below = 0
  const lines = BOUNDS.map((bound, i) => {
    below += counts[i]!
    return `${name}_bucket${joined(`le="${bound}"`)} ${below}`
  })
  lines.push(`${name}_bucket${joined('le="+Inf"')} ${count}`)
  return [...lines, `${name}_sum${braced(key)} ${sum}`, `${name}_count${braced(key)} ${count}`]
}

function keyOf(labels: Labels): string {
  let key = ''
  for (const name in labels) key += `${key === '' ? '' : ','}${name}="${escaped(labels[name]!)}"`
  return key
}

function escaped(value: string): string {
  return /[\\"\n]/.test(value) ? value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n') : value
}

function braced(key: string): string {
  return key === '' ? '' : `{${key}}`
}
