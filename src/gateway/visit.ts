/**
 * One request on its way through the gateway: what is known of it, and what the log and the metrics are told when it is over.
 */
import type { ReplyUsage } from '../core/reply.ts'
import { unawaited } from '../guard/core.ts'
import type { GuardEvent } from '../guard/index.ts'
import type { Measures, Metrics } from './metrics.ts'
import type { LogLine } from './options.ts'
import type { Problem } from './problem.ts'

export class Visit {
  readonly id: string
  readonly method: string
  private readonly metrics: Metrics
  private readonly log: ((line: LogLine) => void) | undefined
  private readonly begun = performance.now()
  private whole = 0
  private sent = 0
  private added: number | undefined
  private ended = false
  private bytes = 0
  private readonly notes: Record<string, unknown> = {}
  private recoveries: string[] | undefined
  private warned = false
  private measures: Measures | undefined
  upstream = '-'
  path = '-'
  mode = 'own'
  key: string | undefined

  constructor(id: string, method: string, metrics: Metrics, log: ((line: LogLine) => void) | undefined) {
    this.id = id
    this.method = method
    this.metrics = metrics
    this.log = log
    metrics.inFlight.value++
  }

  /** Where it goes is known. */
  towards(upstream: string, path: string): void {
    this.upstream = upstream
    this.path = path
    this.mode = 'pass'
    this.measures = this.metrics.of(upstream)
  }

  /** All of the request is here. */
  received(bytes: number): void {
    this.whole = performance.now()
    this.bytes = bytes
  }

  /** The request leaves for the upstream; again after a recovery. */
  sending(): void {
    const now = performance.now()
    this.sent ||= now
    if (this.added !== undefined || this.whole === 0) return
    this.added = now - this.whole
    this.measures?.added.add(this.added / 1000)
  }

  /** The answer begins. */
  answering(): void {
    if (this.sent === 0) return
    this.measures?.first.add((performance.now() - this.sent) / 1000)
  }

  note(name: string, value: unknown): void {
    this.notes[name] = value
  }

  /** What the guard tells of this request. */
  heard(event: GuardEvent): void {
    const { metrics, notes } = this
    switch (event.type) {
      case 'repaired':
        metrics.add('suture_mended_total', { upstream: this.upstream })
        notes['edits'] = event.edits
        notes['rounds'] = event.rounds
        this.found(event.findings)
        break
      case 'found':
        this.found(event.findings)
        break
      case 'refused':
        metrics.add('suture_refusals_total', { kind: event.kind })
        notes['refused'] = event.rule ?? event.kind
        if (event.round !== undefined) notes['refusedAt'] = event.round
        break
      case 'recovered':
        metrics.add('suture_recoveries_total', { recovery: event.recovery })
        this.recoveries ??= []
        this.recoveries.push(event.recovery)
        this.removed(event.report['fields'], false)
        if (event.rounds.length > 0) notes['rounds'] = event.rounds
        break
      case 'shrunk':
        this.removed(event.report['fields'], event.recovery === 'redo')
        break
      case 'incomplete':
        metrics.add('suture_incomplete_total', { why: event.why })
        notes['incomplete'] = event.why
        break
      case 'failed':
        this.failed(event.step, event.error)
        break
      case 'passed':
        notes['passed'] = event.why
        break
    }
  }

  /** Tokens that the provider reported. */
  readonly counted = ({ input, output, cached }: ReplyUsage): void => {
    const { upstream, key, metrics } = this
    const labels = key === undefined ? { upstream } : { upstream, key }
    if (isCount(input)) metrics.add('suture_input_tokens_total', labels, input)
    if (isCount(output)) metrics.add('suture_output_tokens_total', labels, output)
    if (isCount(cached)) metrics.add('suture_cached_input_tokens_total', labels, cached)
    this.notes['tokens'] = { input, output, ...(cached === undefined ? {} : { cached }) }
  }

  /** Fields that the provider rejected by name; `again`: in an earlier request of the conversation. */
  private removed(fields: unknown, again: boolean): void {
    if (fields === undefined) return
    this.notes['fieldsRemoved'] = fields
    if (again) this.notes['fieldsRemovedAgain'] = true
  }

  /** What became of a write to a session. */
  wrote(outcome: 'done' | 'conflict' | 'failed'): void {
    this.metrics.add('suture_session_writes_total', { outcome })
  }

  /** A step of ours that failed; the request goes on without it. */
  failed(step: string, error: string): void {
    this.metrics.add('suture_failures_total', { step })
    this.notes['failed'] = `${step}: ${error}`
  }

  /** The request belongs to a session and goes on without being recorded. */
  unrecorded(code: string): void {
    this.warned = true
    this.notes['warning'] = `not-recorded: ${code}`
  }

  refused({ code }: Problem, cause: unknown): void {
    this.metrics.add('suture_problems_total', { code })
    this.notes['problem'] = code
    // Of our own failures the log has the stack: it names code, not content.
    if (code === 'internal' && cause instanceof Error) this.notes['stack'] = cause.stack
  }

  /** The end, however it came. `whole`: the client got all of it. `broke`: the upstream broke off. */
  over(status: number, whole: boolean, broke = false): void {
    if (this.ended) return
    this.ended = true
    const { metrics, upstream, mode, begun } = this
    const taken = performance.now() - begun
    const measures = this.measures ?? metrics.of(upstream)
    metrics.inFlight.value--
    metrics.request(measures, upstream, mode, status)
    measures.whole.add(taken / 1000)
    try {
      unawaited(this.log?.(this.line(status, whole, broke, taken)))
    } catch {
      // Who only listens stops nothing.
    }
  }

  private line(status: number, whole: boolean, broke: boolean, taken: number): LogLine {
    const { upstream, mode, bytes } = this
    return {
      level: status >= 500 ? 'error' : status >= 400 || !whole || this.warned ? 'warn' : 'info',
      event: 'request',
      id: this.id,
      method: this.method,
      upstream,
      path: this.path,
      mode,
      status,
      ms: rounded(taken),
      ...(this.added === undefined ? {} : { addedMs: rounded(this.added) }),
      ...(this.key === undefined ? {} : { key: this.key }),
      ...(whole ? {} : broke ? { broke: true } : { left: true }),
      ...(this.recoveries ? { recoveries: this.recoveries } : {}),
      bytes,
      ...this.notes,
    }
  }

  private found(findings: Readonly<Record<string, number>>): void {
    for (const [rule, count] of Object.entries(findings)) this.metrics.add('suture_findings_total', { rule }, count)
    this.notes['findings'] = findings
  }
}

/** What an upstream says may be anything. */
function isCount(tokens: number | undefined): tokens is number {
  return Number.isSafeInteger(tokens) && tokens! > 0
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
