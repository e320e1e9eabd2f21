/** Log line and metrics of one request: collects what happens to it and writes both when it ends. */
import type { ReplyUsage } from '../../core/reply.ts'
import type { GuardEvent } from '../../guard/index.ts'
import { ignoreOutcome } from '../../guard/transport.ts'
import type { GatewayError } from '../gateway-error.ts'
import type { LogLine } from '../options.ts'
import { type Measures, type Metrics, upstreamLabels } from './metrics.ts'

type EventOf<T extends GuardEvent['type']> = Extract<GuardEvent, { readonly type: T }>

const PROBES: ReadonlySet<string> = new Set(['/suture/health', '/suture/ready', '/suture/metrics'])

export class RequestLog {
  readonly id: string
  readonly method: string
  private readonly metrics: Metrics
  private readonly log: ((line: LogLine) => void) | undefined
  private readonly begun = performance.now()
  private receivedAt = 0
  private sentAt = 0
  private overhead: number | undefined
  private ended = false
  private bytes = 0
  private readonly notes: Record<string, unknown> = {}
  private recoveries: string[] | undefined
  private warned = false
  private measures: Measures | undefined
  upstream = '-'
  /** An emulator of the provider answers. */
  emulator = false
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

  /** The upstream is known. */
  routedTo({ name, emulator }: { readonly name: string; readonly emulator: boolean }, path: string): void {
    this.upstream = name
    this.emulator = emulator
    this.path = path
    this.mode = 'pass'
    this.measures = this.metrics.of(name, emulator)
  }

  /** The whole request has arrived. */
  received(bytes: number): void {
    this.receivedAt = performance.now()
    this.bytes = bytes
  }

  /** The request is sent to the upstream; called again after a recovery. */
  sending(): void {
    const now = performance.now()
    this.sentAt ||= now
    if (this.overhead !== undefined || this.receivedAt === 0) return
    this.overhead = now - this.receivedAt
    this.measures?.added.add(this.overhead / 1000)
  }

  /** The response begins. */
  answering(): void {
    if (this.sentAt === 0) return
    this.measures?.first.add((performance.now() - this.sentAt) / 1000)
  }

  /** The guard did not look at the request. */
  passed(why: string): void {
    this.metrics.add('suture_passed_total', { why })
    this.notes['passed'] = why
  }

  note(name: string, value: unknown): void {
    this.notes[name] = value
  }

  /** An event of the guard about this request. */
  onEvent(event: GuardEvent): void {
    if (event.type === 'repaired') this.repaired(event)
    else if (event.type === 'found') this.addFindings(event.findings)
    else if (event.type === 'rejected') this.rejected(event)
    else if (event.type === 'recovered') this.recovered(event)
    else if (event.type === 'shrunk') this.addRemovedFields(event.report['fields'], event.recovery === 'reapply')
    else if (event.type === 'restored') this.note('restored', event.calls)
    else if (event.type === 'incomplete') this.incomplete(event)
    else if (event.type === 'failed') this.failed(event.step, event.error)
    else if (event.type === 'passed') this.passed(event.why)
  }

  private incomplete({ why }: EventOf<'incomplete'>): void {
    this.metrics.add('suture_incomplete_total', { why })
    this.notes['incomplete'] = why
  }

  private repaired({ edits, changes, rounds, findings }: EventOf<'repaired'>): void {
    this.metrics.add('suture_repaired_total', upstreamLabels(this.upstream, this.emulator))
    this.notes['edits'] = edits
    this.notes['changes'] = changes
    this.notes['rounds'] = rounds
    this.addFindings(findings)
  }

  private rejected({ kind, rule, round }: EventOf<'rejected'>): void {
    this.metrics.add('suture_rejections_total', { kind })
    this.notes['rejection'] = rule ?? kind
    if (round !== undefined) this.notes['rejectionRound'] = round
  }

  private recovered({ recovery, report, rounds }: EventOf<'recovered'>): void {
    this.metrics.add('suture_recoveries_total', { recovery })
    this.recoveries ??= []
    this.recoveries.push(recovery)
    this.addRemovedFields(report['fields'], false)
    if (rounds.length > 0) this.notes['rounds'] = rounds
  }

  /** Tokens that the provider reported. */
  readonly onUsage = ({ input, output, cached }: ReplyUsage): void => {
    const { upstream, emulator, key, metrics } = this
    const labels = { ...upstreamLabels(upstream, emulator), ...(key === undefined ? {} : { key }) }
    if (isCount(input)) metrics.add('suture_input_tokens_total', labels, input)
    if (isCount(output)) metrics.add('suture_output_tokens_total', labels, output)
    if (isCount(cached)) metrics.add('suture_cached_input_tokens_total', labels, cached)
    this.notes['tokens'] = { input, output, ...(cached === undefined ? {} : { cached }) }
  }

  /** Fields that the provider rejected by name; `again`: in an earlier request of the conversation. */
  private addRemovedFields(fields: unknown, again: boolean): void {
    if (fields === undefined) return
    this.notes['fieldsRemoved'] = fields
    if (again) this.notes['fieldsRemovedAgain'] = true
  }

  /** The outcome of a write to a session. */
  wrote(outcome: 'done' | 'conflict' | 'failed'): void {
    this.metrics.add('suture_session_writes_total', { outcome })
  }

  /** A step of the gateway failed; the request continues without it. */
  failed(step: string, error: string): void {
    this.metrics.add('suture_failures_total', { step })
    this.notes['failed'] = `${step}: ${error}`
  }

  /** The request belongs to a session and continues without being recorded. */
  unrecorded(code: string): void {
    this.warned = true
    this.notes['warning'] = `not-recorded: ${code}`
  }

  failedWith({ code }: GatewayError, cause: unknown): void {
    this.metrics.add('suture_gateway_errors_total', { code })
    this.notes['error'] = code
    // For internal errors the log has the stack trace: it names code, not content.
    if (code === 'internal' && cause instanceof Error) this.notes['stack'] = cause.stack
  }

  /** The end of the request. `whole`: the client got the complete response. `broke`: the upstream broke off. */
  end(status: number, whole: boolean, broke = false): void {
    if (this.ended) return
    this.ended = true
    const { metrics, upstream, emulator, mode, begun } = this
    const taken = performance.now() - begun
    const measures = this.measures ?? metrics.of(upstream, emulator)
    metrics.inFlight.value--
    metrics.request(measures, mode, status)
    measures.whole.add(taken / 1000)
    try {
      ignoreOutcome(this.log?.(this.line(status, whole, broke, taken)))
    } catch {
      // A listener that fails does not stop the request.
    }
  }

  private line(status: number, whole: boolean, broke: boolean, taken: number): LogLine {
    const { upstream, mode, bytes } = this
    return {
      level: this.level(status, whole),
      event: 'request',
      id: this.id,
      method: this.method,
      upstream,
      ...(this.emulator ? { emulator: true } : {}),
      path: this.path,
      mode,
      status,
      ms: rounded(taken),
      ...(this.overhead === undefined ? {} : { overheadMs: rounded(this.overhead) }),
      ...(this.key === undefined ? {} : { key: this.key }),
      ...(whole ? {} : broke ? { upstreamDisconnected: true } : { clientDisconnected: true }),
      ...(this.recoveries ? { recoveries: this.recoveries } : {}),
      bytes,
      ...this.notes,
    }
  }

  /** Probes come every few seconds: only one that fails is worth a line. */
  private level(status: number, whole: boolean): LogLine['level'] {
    if (status >= 500) return 'error'
    if (status >= 400 || !whole || this.warned) return 'warn'
    return this.mode === 'own' && PROBES.has(this.path) ? 'debug' : 'info'
  }

  private addFindings(findings: Readonly<Record<string, number>>): void {
    for (const [rule, count] of Object.entries(findings)) this.metrics.add('suture_findings_total', { rule }, count)
    this.notes['findings'] = findings
  }
}

/** An upstream may report anything. */
function isCount(tokens: number | undefined): tokens is number {
  return Number.isSafeInteger(tokens) && tokens! > 0
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
