/**
 * What the metrics count: tokens as each provider reports them, the process, and never a label whose values a client
 * chooses.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { taken, way } from '../../contract/server/testing/ways.ts'
import { hashOf } from '../../src/gateway/index.ts'
import { memoryStore } from '../../src/session.ts'
import { inFrontOf, type Running, running } from './start-gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const KEY = 'sk-suture-test-0123456789'
const keys = [{ name: 'alice', hash: hashOf(KEY), perMinute: 100_000 }]

async function started(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  const gateway = await running({ store: memoryStore(), ...options })
  closers.push(gateway.close)
  return gateway
}

function counted(gateway: Running, kind: string, labels: string): number {
  const line = gateway
    .metrics()
    .split('\n')
    .find((one) => one.startsWith(`suture_${kind}_tokens_total{${labels}} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** The last number under this name in what the client got. */
function metricIn(text: string, name: string): number {
  return Number([...text.matchAll(new RegExp(`"${name}": ?(\\d+)`, 'g'))].at(-1)?.[1])
}

const NAMES = {
  chat: ['prompt_tokens', 'completion_tokens', 'openai'],
  responses: ['input_tokens', 'output_tokens', 'openai'],
  messages: ['input_tokens', 'output_tokens', 'anthropic'],
  gemini: ['promptTokenCount', 'candidatesTokenCount', 'gemini'],
  converse: ['inputTokens', 'outputTokens', 'bedrock'],
} as const

describe.each(Object.keys(NAMES) as (keyof typeof NAMES)[])('tokens of %s', (endpoint) => {
  const [input, output, upstream] = NAMES[endpoint]
  const modes: Record<string, string>[] = [
    ...['recover', 'repair', 'lint', 'off'].map((suture) => ({ suture })),
    { 'suture-session': 'recorded' },
    { 'suture-session': 'kept', 'suture-mode': 'append' },
  ]
  it.each([false, true])('as the provider reports them, in every mode; streamed: %s', async (stream) => {
    const gateway = await started({ keys })
    const { path, body } = way(endpoint, stream, 'Hello', upstream)
    const usage = endpoint === 'chat' && stream ? { stream_options: { include_usage: true } } : {}
    let [inputs, outputs] = [0, 0]
    for (const [i, mode] of modes.entries()) {
      // Long enough that most of a stream is skimmed.
      gateway.contract.script({ text: 'Some words of an answer. '.repeat(10 + i), chunkBytes: 20 })
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'suture-key': KEY, ...mode },
        body: JSON.stringify({ ...body, ...usage }),
      })
      expect(response.status).toBe(200)
      const { text } = await taken(response)
      inputs += metricIn(text, input)
      outputs += metricIn(text, output)
      const line = (await gateway.logged()).at(-1)
      expect(line, JSON.stringify(mode)).toMatchObject({
        tokens: { input: metricIn(text, input), output: metricIn(text, output) },
      })
    }
    const labels = `upstream="${upstream}",key="alice"`
    expect(outputs).toBeGreaterThan(0)
    expect([counted(gateway, 'input', labels), counted(gateway, 'output', labels)]).toEqual([inputs, outputs])
  })
})

describe('tokens', () => {
  const answer = (usage: unknown) =>
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      usage,
    })
  const ask = (gateway: Running) =>
    fetch(`${gateway.url}/own/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    }).then((response) => response.text())

  it('cached tokens are counted separately; without keys there is no label for a key', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 60 } }
    const gateway = await inFrontOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(usage))
    })
    closers.push(gateway.close)
    await ask(gateway)
    await ask(gateway)
    await gateway.logged()
    const labels = 'upstream="own"'
    expect(['input', 'output', 'cached_input'].map((kind) => counted(gateway, kind, labels))).toEqual([200, 14, 120])
  })

  it('values that are not numbers are not counted', async () => {
    const odd = [{ prompt_tokens: -5, completion_tokens: 1e308 }, { prompt_tokens: 'x', completion_tokens: 0.5 }, 7]
    const gateway = await inFrontOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(odd.pop()))
    })
    closers.push(gateway.close)
    for (let i = 0; i < 3; i++) await ask(gateway)
    await gateway.logged()
    expect(gateway.metrics()).not.toMatch(/^suture_(input|output)_tokens_total\{/m)
  })
})

it('the process has metrics, under the usual names', async () => {
  const gateway = await started()
  const text = await (await fetch(`${gateway.url}/suture/metrics`)).text()
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
    'nodejs_heap_size_used_bytes',
    'nodejs_heap_size_total_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(text).toMatch(new RegExp(`^# HELP ${name} .+\n# TYPE ${name} (gauge|counter)\n${name} [0-9.e+-]+$`, 'm'))
  }
  const started_ = Number(/^process_start_time_seconds (.+)$/m.exec(text)![1])
  expect(started_).toBeLessThan(Date.now() / 1000)
  expect(started_).toBeGreaterThan(Date.now() / 1000 - 86_400)
})

it('names follow the conventions: a counter ends in _total, and every metric has one HELP and one TYPE line', async () => {
  const gateway = await started()
  const lines = gateway.metrics().split('\n')
  const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ').slice(2))
  expect(new Set(types.map(([name]) => name)).size).toBe(types.length)
  for (const [name, type] of types) expect([name, name!.endsWith('_total')]).toEqual([name, type === 'counter'])
})

it('clients cannot create new series', async () => {
  const gateway = await started({ keys })
  const ask = (i: number) =>
    fetch(`${gateway.url}/openai/v1/chat/completions?q=${i}`, {
      method: 'POST',
      headers: { 'suture-key': KEY, 'user-agent': `agent-${i}`, 'x-request-id': `${i}`, 'suture-session': `s-${i}` },
      body: JSON.stringify({ model: `model-${i}`, user: `${i}`, messages: [{ role: 'user', content: `Hi ${i}` }] }),
    }).then((response) => response.text())
  const odd = (i: number) => fetch(`${gateway.url}/unlisted-${i}/v1/x`, { headers: { 'suture-key': KEY } })
  const own = (i: number) => fetch(`${gateway.url}/suture/path-${i}`)
  const wrong = (i: number) => fetch(`${gateway.url}/openai/v1/x`, { headers: { 'suture-key': `wrong-${i}` } })
  const round = async (from: number) => {
    for (let i = from; i < from + 10; i++) for (const one of [ask, odd, own, wrong]) await one(i)
    await gateway.logged()
    return gateway
      .metrics()
      .split('\n')
      .map((line) => line.replace(/ [^ ]+$/, ''))
      .filter((line) => line !== '' && !line.startsWith('#'))
  }
  const first = await round(0)
  expect(await round(100)).toEqual(first)
})
