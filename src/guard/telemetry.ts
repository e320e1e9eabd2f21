/**
 * Spans and counters through OpenTelemetry, by the GenAI conventions; Suture's own names are under `suture.`.
 * Nothing is imported: the API is passed in, or is the one registered in this process. Content is never recorded.
 */
import type { Reply } from '../core/reply.ts'
import type { EventBody, EventContext } from './events.ts'
import { ModelNames } from './model-names.ts'

type Value = string | number | boolean | string[]
type Attributes = Record<string, Value>

interface Span {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number }): unknown
  end(): void
}

interface Meter {
  createCounter(name: string, options: object): { add(value: number, attributes: Attributes): void }
  createHistogram(name: string, options: object): { record(value: number, attributes: Attributes): void }
}

/** The parts of `@opentelemetry/api` that are used. */
export interface Telemetry {
  readonly trace?: { getTracer(name: string): { startSpan(name: string, options: object): Span } }
  readonly metrics?: { getMeter(name: string): Meter }
}

/** Where every copy of `@opentelemetry/api` 1.x registers its API. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const NAME = 'suture'
const CLIENT = 2
const ERROR = 2
/** Milliseconds without a read after which a response counts as abandoned. */
const ABANDONED_AFTER_MS = 5 * 60_000

/** Names of the conventions that differ from ours. */
const NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  'openai-responses': 'openai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

/** Telemetry of one request; undefined if no API is registered. */
export function telemetryFor(telemetry: Telemetry | false | undefined): RequestTelemetry | undefined {
  const found = telemetry ?? (globalThis as Record<symbol, unknown>)[REGISTERED]
  return found ? new RequestTelemetry(found as Telemetry) : undefined
}

export class RequestTelemetry {
  private readonly instruments: ReturnType<typeof instrumentsOf> | undefined
  private readonly tracer: { startSpan(name: string, options: object): Span } | undefined
  private readonly begun = performance.now()
  private span: Span | undefined
  private common: Attributes = {}
  private model: string | undefined
  /** Counted at the end: only then is it known whether the provider knows the model, which decides the label. */
  private readonly counts: ((labels: Attributes) => void)[] = []
  private readonly recoveries: string[] = []
  private over = false
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(telemetry: Telemetry) {
    this.tracer = telemetry.trace?.getTracer(NAME)
    this.instruments = telemetry.metrics && instrumentsOf(telemetry.metrics)
  }

  /** Started when the model is known. */
  begin({ provider = '', dialect = '', model }: EventContext): void {
    const operation = dialect === 'gemini' ? 'generate_content' : 'chat'
    this.model = model
    this.common = { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': NAMES[provider] ?? provider }
    const attributes = { ...this.common, ...(model === undefined ? {} : { 'gen_ai.request.model': model }) }
    const name = model === undefined ? operation : `${operation} ${model}`
    this.span = this.tracer?.startSpan(name, { kind: CLIENT, attributes })
  }

  onEvent(what: EventBody): void {
    if (what.type === 'repaired' || what.type === 'found') {
      const isRepaired = what.type === 'repaired'
      this.span?.setAttributes({ 'suture.findings': Object.keys(what.findings) })
      if (isRepaired) this.span?.setAttributes({ 'suture.edits': what.edits })
      for (const [rule, count] of Object.entries(what.findings))
        this.add('findings', { 'suture.rule': rule, 'suture.repaired': isRepaired }, count)
    } else if (what.type === 'rejected') {
      this.add('rejections', { 'suture.rejection': what.kind })
    } else if (what.type === 'recovered') {
      this.recoveries.push(what.recovery)
      this.span?.setAttributes({ 'suture.recoveries': this.recoveries })
      this.add('recoveries', { 'suture.recovery': what.recovery })
    } else if (what.type === 'incomplete') {
      this.add('incomplete', { 'error.type': what.why })
    }
  }

  private add(name: 'findings' | 'rejections' | 'recoveries' | 'incomplete', attributes: Attributes, count = 1): void {
    this.count((labels) => this.instruments?.[name].add(count, { ...labels, ...attributes }))
  }

  private count(add: (labels: Attributes) => void): void {
    if (this.over) add(this.labels())
    else this.counts.push(add)
  }

  /** Labels of the metrics. */
  private labels(): Attributes {
    const { model, instruments, common } = this
    return model === undefined || !instruments
      ? common
      : { ...common, 'gen_ai.request.model': instruments.models.label(model) }
  }

  /** A caller that neither reads nor cancels never ends a stream: after this long without a read, the span ends. */
  endIfAbandoned(reads: () => number): void {
    let seen = reads()
    this.timer = setInterval(() => {
      const now = reads()
      if (now === seen) this.end('abandoned')
      seen = now
    }, ABANDONED_AFTER_MS)
    ;(this.timer as { unref?: () => void }).unref?.()
  }

  reply(reply: Reply, isCanceledByCaller: boolean): void {
    const { usage, id, model, stop } = reply
    this.span?.setAttributes({
      'suture.complete': reply.complete,
      ...(isCanceledByCaller && !reply.complete ? { 'suture.canceled': true } : {}),
      ...(id === undefined ? {} : { 'gen_ai.response.id': id }),
      ...(model === undefined ? {} : { 'gen_ai.response.model': model }),
      ...(stop === undefined ? {} : { 'gen_ai.response.finish_reasons': [stop] }),
      ...(usage?.input === undefined ? {} : { 'gen_ai.usage.input_tokens': usage.input }),
      ...(usage?.output === undefined ? {} : { 'gen_ai.usage.output_tokens': usage.output }),
    })
    for (const kind of ['input', 'output'] as const) {
      const count = usage?.[kind]
      if (count !== undefined)
        this.count((labels) => this.instruments?.tokens.record(count, { ...labels, 'gen_ai.token.type': kind }))
    }
    this.end(reply.complete || isCanceledByCaller ? undefined : (reply.why ?? 'cut'))
  }

  /** `error`: a status, a word for the failure, or the name of what was thrown. */
  end(error?: string): void {
    if (this.over) return
    this.over = true
    clearInterval(this.timer)
    const failed = error === undefined ? {} : { 'error.type': error }
    if (error === undefined && this.model !== undefined) this.instruments?.models.admit(this.model)
    const labels = this.labels()
    for (const add of this.counts) add(labels)
    this.instruments?.duration.record((performance.now() - this.begun) / 1000, { ...labels, ...failed })
    if (error !== undefined) {
      this.span?.setAttributes(failed as Attributes)
      this.span?.setStatus({ code: ERROR })
    }
    this.span?.end()
  }
}

const instrumentsByApi = new WeakMap<object, ReturnType<typeof createInstruments>>()

function instrumentsOf(metrics: NonNullable<Telemetry['metrics']>) {
  let found = instrumentsByApi.get(metrics)
  if (!found) {
    found = createInstruments(metrics.getMeter(NAME))
    instrumentsByApi.set(metrics, found)
  }
  return found
}

function createInstruments(meter: Meter) {
  return {
    models: new ModelNames(),
    duration: meter.createHistogram('gen_ai.client.operation.duration', { unit: 's' }),
    tokens: meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' }),
    findings: meter.createCounter('suture.findings', { description: 'Errors found in histories, by rule.' }),
    rejections: meter.createCounter('suture.rejections', { description: 'Rejections by providers, by kind.' }),
    recoveries: meter.createCounter('suture.recoveries', { description: 'Recoveries after rejections.' }),
    incomplete: meter.createCounter('suture.incomplete', { description: 'Responses that did not reach their end.' }),
  }
}
