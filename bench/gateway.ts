/**
 * The gateway against proxies that do the least: requests a second and processor time a request, all in one run. Usage: npm run bench:gateway
 * Rounds take turns, and the least disturbed round of each counts, so that only the ratios of one run are compared.
 * The load is `wrk` where it is installed (SECONDS=4 a round), else our own, which takes more of the processor that it shares with the upstream.
 * With PORTKEY_DIR, a folder where `@portkey-ai/gateway` is installed, that one is measured, too. ROUNDS=6, ONLY=2 (kB), LOAD=own.
 */
import { lint } from '../src/index.ts'
import { answerOf, load, mock, requestOf } from './gateway-load.ts'
import { cpuOf, type Proxied, pin, start, startPortkey } from './gateway-proxies.ts'
import { hasWrk, wrk } from './gateway-wrk.ts'
import { broken, longHistory, subjects } from './histories.ts'

const ANSWER = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Words. '.repeat(20) }, finish_reason: 'stop' }],
})
const SIZES = [
  [2e3, 32, 6000],
  [100e3, 16, 1500],
  [1e6, 8, 150],
] as const
const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
const SECONDS = Number(process.env['SECONDS'] ?? 4)
const byWrk = hasWrk && process.env['LOAD'] !== 'own'

interface Found {
  rate: number
  cpu: number
}

const alone = pin()
const upstream = await mock({ whole: answerOf(ANSWER) })
const { url } = upstream
const proxies: Proxied[] = [{ name: 'direct', url, headers: {} }]
for (const name of ['min-parse', 'fast-parse', 'gateway']) proxies.push(await start(name, url))
const portkey = process.env['PORTKEY_DIR']
if (portkey) proxies.push(await startPortkey(portkey, url))
console.log(byWrk ? `Load by wrk, ${SECONDS} s a round.` : 'Load by our own sockets: no wrk.')
console.log(alone ? 'Proxies alone on one core, load and upstream on another.' : 'Not pinned: no taskset, or one core.')
const sizes = SIZES.filter(([size]) => !process.env['ONLY'] || Number(process.env['ONLY']) === size / 1e3)
for (const [size, connections, times] of sizes) {
  const messages = sized(size)
  await compared(`${size / 1e3} kB, ${connections} connections, sound`, messages, connections, times)
  await compared(
    `${size / 1e3} kB, ${connections} connections, mended`,
    broken(messages, 'openai-chat'),
    connections,
    times,
  )
}
for (const { child } of proxies) child?.kill()
upstream.close()

async function compared(
  title: string,
  messages: readonly unknown[],
  connections: number,
  times: number,
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ model: 'gpt-4.1', messages }))
  const best = new Map<string, Found>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const proxy of proxies) {
      const found = await loaded(proxy, body, connections, times)
      const { rate = 0, cpu = Number.POSITIVE_INFINITY } = best.get(proxy.name) ?? {}
      // The first round only warms up.
      if (round > 0) best.set(proxy.name, { rate: Math.max(rate, found.rate), cpu: Math.min(cpu, found.cpu) })
    }
  }
  console.log(`${title} (${messages.length} messages, ${(body.length / 1e3).toFixed(1)} kB)`)
  for (const [name, found] of best) console.log(lineOf(name, found, best))
}

/** Rates and processor time, each against `min-parse` and, where it runs, against Portkey. */
function lineOf(name: string, { rate, cpu }: Found, best: ReadonlyMap<string, Found>): string {
  const start = `  ${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s`
  if (cpu === 0) return start
  const against = [best.get('min-parse'), best.get('portkey')].map((other, i) =>
    other === undefined
      ? ''
      : `   × ${['min-parse', 'portkey'][i]}: ${(rate / other.rate).toFixed(2).padStart(5)} by rate, ${(other.cpu / cpu).toFixed(2).padStart(5)} by processor time`,
  )
  return `${start} ${cpu.toFixed(0).padStart(7)} µs${against.join('')}`
}

async function loaded(
  { name, url: address, child, headers }: Proxied,
  body: Uint8Array,
  connections: number,
  times: number,
): Promise<Found> {
  const path = name === 'portkey' ? '/v1/chat/completions' : '/openai/v1/chat/completions'
  const before = await cpuOf(child)
  const { count, seconds } = byWrk
    ? await wrk({ url: address + path, body, headers, connections, seconds: SECONDS })
    : await load(address, requestOf(path, body, headers), connections, times)
  return { rate: count / seconds, cpu: ((await cpuOf(child)) - before) / count }
}

/** A sound history of about so many bytes: real rounds as far as they fit, and small talk up to the size. */
function sized(bytes: number): unknown[] {
  const subject = subjects.find(({ provider }) => provider === 'openai')!
  const kept: unknown[] = []
  const length = () => JSON.stringify(kept).length
  let size = 0
  for (const message of longHistory(subject, bytes)) {
    const more = JSON.stringify(message).length + 1
    // A rulebook as the first message would be all there is.
    if (size + more > bytes && kept.length > 0) break
    if (size + more > bytes / 2 && kept.length === 0) continue
    size += more
    kept.push(message)
  }
  while (kept.length > 1 && lint(kept, { provider: 'openai' }).length > 0) kept.pop()
  while (length() < bytes - 250)
    kept.push({ role: 'assistant', content: 'Yes. '.repeat(20) }, { role: 'user', content: 'And then? '.repeat(5) })
  return kept
}
