/**
 * How a gateway goes away: balancers notice first, requests are served meanwhile, streams under way come to their end.
 */
import { afterAll, afterEach, expect, it } from 'vitest'
import { startContract } from '../../contract/index.ts'
import { command, type Started } from './cli-process.ts'
import { inFrontOf } from './start-gateway.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
const suture = await command()
const contract = await startContract({ maxRequests: 50 })
afterAll(async () => {
  suture.close()
  await contract.close()
})

const LONG = 600_000
const hi = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }
const ask = (url: string, name: string, body: object = hi) =>
  fetch(`${url}/${name}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
const get = async (url: string, path: string) => {
  // A connection of its own, as a balancer's probe has.
  const response = await fetch(url + path, { headers: { connection: 'close' } })
  return [response.status, await response.json()]
}

it('while it drains it is not ready, reports that, and serves; then it accepts no more', async () => {
  const gateway = await inFrontOf((_request, response) => response.end('{}'))
  closers.push(gateway.close)
  expect(await get(gateway.url, '/suture/ready')).toMatchObject([200, { status: 'ready' }])
  expect(gateway.metrics()).toMatch(/^suture_draining 0$/m)
  const closed = gateway.listening.close(1000, LONG)
  expect(await get(gateway.url, '/suture/ready')).toEqual([503, { status: 'draining' }])
  expect(await get(gateway.url, '/suture/health')).toEqual([200, { status: 'draining' }])
  expect(gateway.metrics()).toMatch(/^suture_draining 1$/m)
  const response = await ask(gateway.url, 'own')
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
  await gateway.listening.close(0)
  await closed
  await expect(ask(gateway.url, 'own')).rejects.toThrow()
})

/** The end of a process: its code and the signal that ended it. */
function endOf({ child }: Started): Promise<readonly [number | null, string | null]> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))
}

const flags = ['--store', 'none', '--upstream', `openai=${contract.url}/openai`]

it('SIGTERM: --drain-delay-ms keeps it serving, and a second signal ends it', async () => {
  const started = await suture.serve([...flags, '--drain-delay-ms', String(LONG)])
  const ended = endOf(started)
  started.child.kill('SIGTERM')
  while ((await get(started.url, '/suture/ready'))[0] !== 503);
  expect(await get(started.url, '/suture/health')).toEqual([200, { status: 'draining' }])
  expect((await ask(started.url, 'openai')).status).toBe(200)
  started.child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
})

it.each(['SIGHUP', 'SIGINT'] as const)('%s drains: a stream ends, and the process exits', async (signal) => {
  const delay = signal === 'SIGINT' ? ['--drain-delay-ms', String(LONG)] : []
  const started = await suture.serve([...flags, ...delay])
  const ended = endOf(started)
  contract.script({ text: 'Words that take their time. '.repeat(20), chunkBytes: 10, paceMs: 15 })
  const reader = (await ask(started.url, 'openai', { ...hi, stream: true })).body!.getReader()
  await reader.read()
  started.child.kill(signal)
  // A terminal that closes sends it twice.
  if (signal === 'SIGHUP') started.child.kill(signal)
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += Buffer.from(next.value)
  expect(text).toMatch(/\[DONE\]\n\n$/)
  expect(await ended).toEqual([0, null])
})

it('two upstreams that are configured open no others', async () => {
  const started = await suture.serve([...flags, '--upstream', `local=${contract.url}/openai`], {
    OPENAI_API_KEY: 'sk-x',
    MISTRAL_API_KEY: 'sk-y',
  })
  expect((await ask(started.url, 'openai')).status).toBe(200)
  for (const name of ['anthropic', 'mistral', 'groq', 'deepseek', 'xai']) {
    const response = await ask(started.url, name)
    expect([response.status, response.headers.get('suture-error')]).toEqual([404, 'no-such-upstream'])
  }
  expect(await get(started.url, '/suture/ready')).toMatchObject([200, { upstreams: ['openai', 'local'] }])
})
