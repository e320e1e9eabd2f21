import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { type FetchOptions, guard } from './index.ts'

/** The models that are a label in any series after these requests; `knows`: those that the provider has. */
async function labeled(models: readonly string[], knows: (model: string) => boolean): Promise<Set<unknown>> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e8 })
  const telemetry = { metrics: new MeterProvider({ readers: [reader] }) } as unknown as FetchOptions['telemetry']
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 3, completion_tokens: 1 }
  const provider = async (_input: unknown, init?: RequestInit) => {
    const { model } = JSON.parse(Buffer.from(init?.body as string).toString())
    const headers = { 'content-type': 'application/json' }
    if (knows(model)) return new Response(JSON.stringify({ choices, usage }), { headers })
    return new Response(JSON.stringify({ error: { message: 'no such model' } }), { status: 404, headers })
  }
  const fetch = guard({
    fetch: provider as typeof globalThis.fetch,
    provider: 'openai',
    ...(telemetry && { telemetry }),
  })
  for (const model of models) {
    const messages = [
      { role: 'tool', tool_call_id: 'x', content: 'y' },
      { role: 'user', content: 'Hi' },
    ]
    const body = JSON.stringify({ model, messages })
    await (await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body })).text()
  }
  await reader.forceFlush()
  const series = exporter
    .getMetrics()
    .at(-1)!
    .scopeMetrics.flatMap((scope) => scope.metrics)
  expect(series.length).toBeGreaterThan(1)
  return new Set(series.flatMap((one) => one.dataPoints.map(({ attributes }) => attributes['gen_ai.request.model'])))
}

it('a name that no provider has answered to is not a label', async () => {
  const made = Array.from({ length: 300 }, (_, i) => `invented-${i}`)
  expect(await labeled([...made, 'gpt-4o', ...made], (model) => model === 'gpt-4o')).toEqual(
    new Set(['other', 'gpt-4o']),
  )
})

it('if a provider answers to every name, only a limited number become labels', async () => {
  const made = Array.from({ length: 300 }, (_, i) => `invented-${i}`)
  const labels = await labeled([...made, 'x'.repeat(10_000)], () => true)
  expect(labels.size).toBe(101)
  expect(labels).toContain('other')
})
