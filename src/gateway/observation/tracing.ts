/**
 * One span and one duration for each request, through OpenTelemetry; the guard's spans are children. Nothing is
 * imported: the API is passed in, or is the one registered in this process. Content is never recorded.
 */
import type { HeaderList } from '../http/index.ts'
import type { RequestLog } from './request-log.ts'

type Attributes = Record<string, string | number | boolean>

interface Span {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number }): unknown
  end(): void
}

interface Surroundings {
  setValue(key: symbol, value: unknown): Surroundings
}

/** The parts of `@opentelemetry/api` that are used. */
export interface Tracing {
  readonly trace?: {
    getTracer(name: string): { startSpan(name: string, options: object, around?: Surroundings): Span }
  }
  readonly metrics?: {
    getMeter(name: string): {
      createHistogram(name: string, options: object): { record(value: number, attributes: Attributes): void }
    }
  }
  readonly context?: { active(): Surroundings; with<T>(around: Surroundings, work: () => T): T }
  readonly propagation?: { extract(around: Surroundings, carrier: HeaderList, getter: object): Surroundings }
}

/** Where every copy of `@opentelemetry/api` 1.x registers its API, and the key of the current span. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN')
const SERVER = 1
const ERROR = 2

const getter = {
  get: (heads: HeaderList, name: string) => heads.get(name.toLowerCase()),
  keys: (heads: HeaderList) => [...heads.names],
}

/** The span of one request; undefined if no API is registered. */
export function spanOf(
  tracing: object | false | undefined,
  method: string,
  headers: HeaderList,
): RequestSpan | undefined {
  const found = tracing ?? (globalThis as Record<symbol, unknown>)[REGISTERED]
  return found ? new RequestSpan(found as Tracing, method, headers) : undefined
}

export class RequestSpan {
  private readonly tracing: Tracing
  private readonly method: string
  private readonly span: Span | undefined
  private readonly around: Surroundings | undefined
  private readonly begun = performance.now()

  constructor(tracing: Tracing, method: string, headers: HeaderList) {
    const { context, propagation, trace } = tracing
    const active = context?.active()
    const around = active && propagation ? propagation.extract(active, headers, getter) : active
    this.tracing = tracing
    this.method = method
    this.span = trace?.getTracer('suture').startSpan(method, { kind: SERVER }, around)
    this.around = this.span && around?.setValue(SPAN, this.span)
  }

  /** Runs work inside the span. */
  within<T>(work: () => T): T {
    const { context } = this.tracing
    return context && this.around ? context.with(this.around, work) : work()
  }

  end(status: number, { id, upstream, mode }: Pick<RequestLog, 'id' | 'upstream' | 'mode'>): void {
    const failed: Attributes = status >= 500 ? { 'error.type': String(status) } : {}
    const common: Attributes = { 'suture.upstream': upstream, 'suture.mode': mode, ...failed }
    this.span?.setAttributes({
      ...common,
      'http.request.method': this.method,
      'http.response.status_code': status,
      'suture.request.id': id,
    })
    if (status >= 500) this.span?.setStatus({ code: ERROR })
    this.span?.end()
    const { metrics } = this.tracing
    if (metrics && upstream !== '-') durationOf(metrics).record((performance.now() - this.begun) / 1000, common)
  }
}

type Duration = ReturnType<ReturnType<NonNullable<Tracing['metrics']>['getMeter']>['createHistogram']>
const durations = new WeakMap<object, Duration>()

function durationOf(metrics: NonNullable<Tracing['metrics']>): Duration {
  let found = durations.get(metrics)
  if (!found) {
    found = metrics.getMeter('suture').createHistogram('gen_ai.server.request.duration', { unit: 's' })
    durations.set(metrics, found)
  }
  return found
}
