/**
 * Spans of the gateway through the real SDK of OpenTelemetry: one for each request, the guard's inside it, the caller's
 * around it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, expect, it } from 'vitest'
import { running } from './start-gateway.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const storage = new AsyncLocalStorage<Context>()
const context = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: <T>(around: Context, work: () => T) => storage.run(around, work),
}
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
/** As far as `traceparent` is needed here. */
const extract: typeof propagation.extract = (around, carrier, getter) => {
  const [, traceId, spanId] = String(getter?.get(carrier, 'traceparent') ?? '').split('-')
  if (!traceId || !spanId) return around
  return trace.setSpanContext(around, { traceId, spanId, traceFlags: 1, isRemote: true })
}
// The guard takes what it needs of this; the gateway the rest, too.
const telemetry = { trace: provider, context, propagation: { extract } }
trace.setGlobalTracerProvider(provider)
const gateway = await running({ guard: { telemetry: withActive() } })
afterAll(() => gateway.close())

/** A tracer that takes the span around from our storage, as one does that has a manager registered. */
function withActive(): object {
  const tracer = (name: string) => {
    const inner = provider.getTracer(name)
    return {
      startSpan: (span: string, options: object, around: Context = context.active()) =>
        inner.startSpan(span, options, around),
    }
  }
  return { ...telemetry, trace: { getTracer: tracer } }
}

it('a span for the request, with the guard’s inside and the caller’s around; no content in it', async () => {
  const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: PARENT },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'a secret' }] }),
  })
  await response.text()
  await gateway.logged()
  const spans = exporter.getFinishedSpans()
  const own = spans.find(({ name }) => name === 'POST')!
  const guarded = spans.find(({ name }) => name === 'chat gpt-4o')!
  expect(own.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'suture.upstream': 'openai',
    'suture.mode': 'pass',
    'suture.request.id': response.headers.get('suture-request-id'),
  })
  expect(own.kind).toBe(1)
  expect(own.spanContext().traceId).toBe(PARENT.split('-')[1])
  expect(guarded.parentSpanContext?.spanId).toBe(own.spanContext().spanId)
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('a secret')
})
