/**
 * Streams through the gateway: processor time an event over a bare proxy, time to first byte, delay of an abort.
 * Usage: npm run bench:gateway-streams. Rounds take turns; the least disturbed one of each counts.
 */
import { connect } from 'node:net'
import { load, type Mock, mock, requestOf } from './gateway-load.ts'
import { cpuOf, type Proxied, pin, start } from './gateway-proxies.ts'

const EVENTS = 200
const CONNECTIONS = 16
const TIMES = Number(process.env['TIMES'] ?? 160)
const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
const PATH = '/openai/v1/chat/completions'
const BODY = Buffer.from(
  JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
)

const delta = (choice: object) =>
  Buffer.from(
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1', choices: [{ index: 0, ...choice }] })}\n\n`,
  )
const events = Array.from({ length: EVENTS - 2 }, (_one, i) =>
  delta({ delta: { content: `word ${i} ` }, finish_reason: null }),
)
events.push(delta({ delta: {}, finish_reason: 'stop' }), Buffer.from('data: [DONE]\n\n'))

pin()
const upstream = await mock({ events })
const proxies = [await start('min-pipe', upstream.url), await start('gateway', upstream.url)]
await perEvent(proxies)
await firstByte(proxies)
await aborts(proxies[1]!, upstream)
for (const { child } of proxies) child?.kill()
upstream.close()

async function perEvent(all: readonly Proxied[]): Promise<void> {
  const best = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url, child } of all) {
      const before = await cpuOf(child)
      await load(url, requestOf(PATH, BODY), CONNECTIONS, TIMES)
      const spent = ((await cpuOf(child)) - before) / (TIMES * EVENTS)
      if (round > 0) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, spent))
    }
  }
  for (const [name, spent] of best) console.log(`${name.padEnd(10)} ${spent.toFixed(2)} µs an event`)
  console.log(`over the bare proxy: ${(best.get('gateway')! - best.get('min-pipe')!).toFixed(2)} µs an event (bar 2)`)
}

async function firstByte(all: readonly Proxied[]): Promise<void> {
  const best = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of [...all, { name: 'direct', url: upstream.url }]) {
      const { first } = await load(url, requestOf(PATH, BODY), 1, 20)
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, first[first.length >> 1]!))
    }
  }
  const added = best.get('gateway')! - best.get('direct')!
  console.log(`first byte, median: ${[...best].map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`).join(', ')}`)
  console.log(`added to the first byte: ${added.toFixed(2)} ms (bar 2)`)
}

/** From the client's socket being destroyed to the upstream's connection being closed. */
async function aborts({ url }: Proxied, target: Mock): Promise<void> {
  target.answering = { events: [events[0]!], endless: true }
  const took: number[] = []
  for (let i = 0; i < 30; i++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(requestOf(PATH, BODY))
    await new Promise((resolve) => socket.once('data', resolve))
    const { count } = target.closed
    const left = performance.now()
    socket.destroy()
    while (target.closed.count === count) await new Promise((resolve) => setImmediate(resolve))
    took.push(target.closed.at - left)
  }
  took.sort((a, b) => a - b)
  console.log(
    `abort to closed upstream: median ${took[15]!.toFixed(1)} ms, most ${took.at(-1)!.toFixed(1)} ms (bar 50)`,
  )
}
