import * as api from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, it, vi } from 'vitest'
import { contractFetch, type Step } from '../../contract/index.ts'
import { request, taken, way } from '../../contract/server/testing/ways.ts'
import { type FetchOptions, guard } from './index.ts'

const spans = new InMemorySpanExporter()
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e8 })
const trace = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
const meters = new MeterProvider({ readers: [reader] })
const telemetry = { trace, metrics: meters } as unknown as NonNullable<FetchOptions['telemetry']>

afterEach(() => {
  spans.reset()
  api.trace.disable()
})

async function ask(script: readonly Step[], options: FetchOptions, stream = true) {
  const fetch = guard({ fetch: contractFetch({ script }), provider: 'anthropic', wait: async () => {}, ...options })
  const one = way('messages', stream, 'a secret prompt')
  await taken(await fetch('http://anywhere' + one.path, request(one)))
  return spans.getFinishedSpans()
}

it('a span by the GenAI conventions, with what was done', async () => {
  const [span] = await ask([{ fault: ['status=529'] }, { text: 'a secret answer' }], { telemetry })
  expect(span?.name).toBe('chat claude-opus-4-5')
  expect(span?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'claude-opus-4-5',
    'gen_ai.response.finish_reasons': ['end_turn'],
    'gen_ai.usage.output_tokens': expect.any(Number),
    'suture.recoveries': ['wait'],
    'suture.complete': true,
  })
  expect(JSON.stringify(span?.attributes)).not.toContain('secret')
})

it('an answer that broke off is a span with an error', async () => {
  const [span] = await ask([{ text: 'an answer of some words', chunkBytes: 3, fault: 'cut-after-events=5' }], {
    telemetry,
  })
  expect(span?.status.code).toBe(api.SpanStatusCode.ERROR)
  expect(span?.attributes).toMatchObject({ 'error.type': 'cut', 'suture.complete': false })
  const [rejected] = (await ask([{ fault: 'status=401' }], { telemetry }, false)).slice(1)
  expect(rejected?.attributes['error.type']).toBe('401')
})

it('counts', async () => {
  await ask([{ fault: ['status=529'] }, { text: 'x' }], { telemetry })
  await reader.forceFlush()
  const found = metrics
    .getMetrics()
    .at(-1)!
    .scopeMetrics.flatMap((scope) => scope.metrics.map((one) => one.descriptor.name))
  expect(found.sort()).toEqual([
    'gen_ai.client.operation.duration',
    'gen_ai.client.token.usage',
    'suture.incomplete',
    'suture.recoveries',
    'suture.rejections',
  ])
})

it('the API that is registered in the process is found, except with `telemetry: false`', async () => {
  api.trace.setGlobalTracerProvider(trace)
  expect((await ask([{ text: 'x' }], {})).length).toBe(1)
  expect((await ask([{ text: 'x' }], { telemetry: false })).length).toBe(1)
})

it('a caller that cancels is not an error, and one that stops reading does not keep the span open', async () => {
  const reply = { text: 'an answer of some words', chunkBytes: 3 }
  const events: string[] = []
  const fetch = guard({
    fetch: contractFetch({ script: [reply, reply] }),
    provider: 'anthropic',
    telemetry,
    onEvent: ({ type }) => events.push(type),
  })
  const one = way('messages', true)
  const response = await fetch('http://anywhere' + one.path, request(one))
  await response.body!.cancel()
  const [left] = spans.getFinishedSpans()
  expect(left?.attributes).toMatchObject({ 'suture.complete': false, 'suture.canceled': true })
  expect([left?.status.code, left?.attributes['error.type'], events]).toEqual([0, undefined, []])
  spans.reset()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const forgotten = await fetch('http://anywhere' + one.path, request(one))
    const reader = forgotten.body!.getReader()
    await reader.read()
    vi.advanceTimersByTime(5 * 60_000)
    expect(spans.getFinishedSpans()).toEqual([])
    vi.advanceTimersByTime(5 * 60_000)
    expect(spans.getFinishedSpans()[0]?.attributes['error.type']).toBe('abandoned')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
