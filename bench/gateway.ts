/**
 * The gateway against minimal proxies: requests a second and processor time a request. Usage: npm run bench:gateway
 * Rounds alternate, and the best round of each counts, so that ratios of one run can be compared.
 * The load is `wrk` if it is installed (SECONDS=4 a round), else our own, which takes more processor time.
 * With PORTKEY_DIR, a folder where `@portkey-ai/gateway` is installed, that gateway is measured, too.
 * ROUNDS=6, ONLY=2 (kB), MODEL=gpt-5, LOAD=own. Bar: 0.8 of `min-parse` by rate for valid requests; stretch: 1.
 */
import { answerOf, load, mock, requestOf } from './gateway-load.ts'
import { cpuOf, type Proxied, pin, start, startPortkey } from './gateway-proxies.ts'
import { gatewaySubjects, type Kind, type Posted, requestFor } from './gateway-requests.ts'
import { hasWrk, wrk } from './gateway-wrk.ts'
import type { Subject } from './subjects.ts'

const SIZES = [
  [2e3, 32, 6000],
  [100e3, 16, 1500],
  [1e6, 8, 150],
] as const
const BAR = 0.8
const STRETCH = 1
const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
const SECONDS = Number(process.env['SECONDS'] ?? 4)
const byWrk = hasWrk && process.env['LOAD'] !== 'own'

interface Found {
  rate: number
  cpu: number
}

const alone = pin()
const upstream = await mock({})
const { url } = upstream
const proxies: Proxied[] = [{ name: 'direct', url, headers: {} }]
for (const name of ['min-parse', 'fast-parse', 'gateway']) proxies.push(await start(name, url))
const portkey = process.env['PORTKEY_DIR']
if (portkey) proxies.push(await startPortkey(portkey, url))
console.log(byWrk ? `Load by wrk, ${SECONDS} s a round.` : 'Load by our own sockets: no wrk.')
console.log(alone ? 'Proxies alone on one core, load and upstream on another.' : 'Not pinned: no taskset, or one core.')
const sizes = SIZES.filter(([size]) => !process.env['ONLY'] || Number(process.env['ONLY']) === size / 1e3)
const subjects = gatewaySubjects.filter(({ model }) => !process.env['MODEL'] || process.env['MODEL'] === model)
const results: { readonly title: string; readonly ratio: number }[] = []
for (const size of sizes) {
  for (const subject of subjects) results.push(await valid(subject, size))
  // The costs of a repair and of characters beyond ASCII differ little between models.
  const [first] = gatewaySubjects
  if (!subjects.includes(first!)) continue
  results.push(await valid(first!, size, { isAscii: true }))
  await compared(first!, size, { isBroken: true })
}
for (const { child } of proxies) child?.kill()
upstream.close()
console.log(`\nValid requests, gateway × min-parse by rate (bar ${BAR}, stretch ${STRETCH}), worst first`)
for (const { title, ratio } of results.sort((a, b) => a.ratio - b.ratio))
  console.log(
    `  ${ratio.toFixed(2)}  ${(ratio < BAR ? 'missed' : ratio < STRETCH ? 'met' : 'stretch').padEnd(7)}  ${title}`,
  )

async function valid(subject: Subject, size: (typeof SIZES)[number], kind: Kind = {}) {
  const { title, best } = await compared(subject, size, kind)
  return { title, ratio: best.get('gateway')!.rate / best.get('min-parse')!.rate }
}

async function compared(subject: Subject, [size, connections, times]: (typeof SIZES)[number], kind: Kind) {
  const posted = requestFor(subject, size, kind)
  const { body, messages, answer } = posted
  upstream.answering = { whole: answerOf(answer) }
  const title = `${subject.model} ${size / 1e3} kB, ${connections} connections${kind.isBroken ? ', repaired' : ''}${kind.isAscii ? ', ASCII' : ''}`
  const best = new Map<string, Found>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const proxy of proxies.filter(({ name }) => serves(name, subject))) {
      const found = await loaded(proxy, posted, connections, times)
      const { rate = 0, cpu = Number.POSITIVE_INFINITY } = best.get(proxy.name) ?? {}
      // The first round only warms up.
      if (round > 0) best.set(proxy.name, { rate: Math.max(rate, found.rate), cpu: Math.min(cpu, found.cpu) })
    }
  }
  console.log(`${title} (${messages} messages, ${(body.length / 1e3).toFixed(1)} kB)`)
  for (const [name, found] of best) console.log(lineOf(name, found, best))
  return { title, best }
}

/** `fast-parse` and Portkey, as they are started here, only know OpenAI's chat. */
function serves(name: string, { provider }: Subject): boolean {
  return provider === 'openai' || (name !== 'fast-parse' && name !== 'portkey')
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
  { path: asked, body }: Posted,
  connections: number,
  times: number,
): Promise<Found> {
  const path = name === 'portkey' ? '/v1/chat/completions' : asked
  const before = await cpuOf(child)
  const { count, seconds } = byWrk
    ? await wrk({ url: address + path, body, headers, connections, seconds: SECONDS })
    : await load(address, requestOf(path, body, headers), connections, times)
  return { rate: count / seconds, cpu: ((await cpuOf(child)) - before) / count }
}
