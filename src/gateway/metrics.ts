/**
 * Counts and times in the text format of Prometheus, written by hand. Labels are names of ours and of upstreams, never content.
 */
type Labels = Readonly<Record<string, string>>

interface Metric {
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
}

const METRICS = {
  suture_requests_total: { type: 'counter', help: 'Requests by upstream, mode and status.' },
  suture_request_seconds: { type: 'histogram', help: 'From the first byte of a request to the last of its answer.' },
  suture_added_seconds: {
    type: 'histogram',
    help: 'From a request being whole to its being sent on: what the gateway adds.',
  },
  suture_first_byte_seconds: {
    type: 'histogram',
    help: 'From a request being sent on to the first byte for the client.',
  },
  suture_findings_total: { type: 'counter', help: 'Errors found in histories, by rule.' },
  suture_mended_total: { type: 'counter', help: 'Requests that were mended before they were sent.' },
  suture_refusals_total: { type: 'counter', help: 'Refusals of upstreams, by kind.' },
  suture_recoveries_total: { type: 'counter', help: 'What was done about refusals.' },
  suture_incomplete_total: { type: 'counter', help: 'Answers that did not come to their end.' },
  suture_failures_total: {
    type: 'counter',
    help: 'Steps of the gateway that failed; the request went on without them.',
  },
  suture_problems_total: { type: 'counter', help: 'Refusals of the gateway itself, by code.' },
  suture_session_writes_total: { type: 'counter', help: 'Writes to sessions, by outcome.' },
  suture_in_flight: { type: 'gauge', help: 'Requests that are being served.' },
  suture_buffered_bytes: { type: 'gauge', help: 'Bytes of requests that are held.' },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Histogram {
  readonly counts: number[]
  sum: number
  count: number
}

export class Metrics {
  private readonly values = new Map<MetricName, Map<string, number>>()
  private readonly histograms = new Map<MetricName, Map<string, Histogram>>()

  add(name: MetricName, labels: Labels = {}, by = 1): void {
    const series = into(this.values, name)
    const key = keyOf(labels)
    series.set(key, (series.get(key) ?? 0) + by)
  }

  time(name: MetricName, labels: Labels, seconds: number): void {
    const series = into(this.histograms, name)
    const key = keyOf(labels)
    let one = series.get(key)
    if (!one) {
      one = { counts: BOUNDS.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
    }
    const at = BOUNDS.findIndex((bound) => seconds <= bound)
    if (at >= 0) one.counts[at]!++
    one.sum += seconds
    one.count++
  }

  /** What `/suture/metrics` says. */
  text(): string {
    const lines: string[] = []
    for (const [name, { help, type }] of Object.entries(METRICS) as [MetricName, Metric][]) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
      for (const [key, value] of this.values.get(name) ?? []) lines.push(`${name}${braced(key)} ${value}`)
      for (const [key, one] of this.histograms.get(name) ?? []) lines.push(...histogramLines(name, key, one))
    }
    return lines.join('\n') + '\n'
  }
}

function into<T>(all: Map<MetricName, Map<string, T>>, name: MetricName): Map<string, T> {
  let found = all.get(name)
  if (!found) {
    found = new Map()
    all.set(name, found)
  }
  return found
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
