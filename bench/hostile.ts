/**
 * Small bodies that are expensive to read, against valid ones: processor time for a megabyte, by lint, by repair and
 * through a gateway, and the memory of a gateway that gets many of them at once.
 * Usage: npm run bench:hostile [SHAPE], with SIZE=1 (MB a body), RUNS=3, MEMORY=off, MAX_BUFFERED=268435456.
 * Bars: 3 times the most expensive valid body of the dialect, 200 ms for a megabyte, 1.5 times the memory limit.
 */
import { readFileSync } from 'node:fs'
import { lint, repair } from '../src/index.ts'
import { mains } from '../test/dialect-table.ts'
import { spent } from './clock.ts'
import { answerOf, mock } from './gateway-load.ts'
import { cpuOf, type Proxied, start } from './gateway-proxies.ts'
import { type Body, bodies, packed } from './hostile-bodies.ts'

const BAR = 3
const MOST_MS = 200
const MEMORY_BAR = 1.5
const BYTES = Number(process.env['SIZE'] ?? 1) * 1e6
const RUNS = Number(process.env['RUNS'] ?? 3)
const LIMIT = Number(process.env['MAX_BUFFERED'] ?? 256 * 1024 * 1024)
const only = new RegExp(process.argv[2] ?? '.')

/** Milliseconds of processor time for a megabyte. */
interface Cost {
  readonly body: Pick<Body, 'dialect' | 'shape' | 'isValid'>
  readonly parse: number
  readonly lint: number
  readonly repair: number
  readonly gateway: number
}

const upstream = await mock({})
upstream.answering = { whole: answerOf('{}') }
process.env['MAX_BUFFERED'] = String(LIMIT)
if (process.env['COSTS'] !== 'off') await costs(await start('gateway', upstream.url))
if (process.env['MEMORY'] !== 'off') for (const isPacked of [false, true]) await memory(isPacked)
upstream.close()

async function costs(server: Proxied): Promise<void> {
  for (const body of bodies(BYTES, /^$/)) await costOf(body, server)
  const valid: Cost[] = []
  for (const body of bodies(BYTES, /^$/)) valid.push(await costOf(body, server))
  console.log('ms of processor time for a megabyte, and how often that of the dearest valid body of the dialect')
  for (const cost of valid) print(cost, valid)
  for (const body of bodies(BYTES, only)) if (!body.isValid) print(await costOf(body, server), valid)
  server.child!.kill()
}

function print(cost: Cost, valid: readonly Cost[]): void {
  const { dialect, shape } = cost.body
  const cells = (['lint', 'repair', 'gateway'] as const).map((what) => {
    const ratio = cost[what] / Math.max(...valid.filter(({ body }) => body.dialect === dialect).map((one) => one[what]))
    const missed = cost[what] > MOST_MS ? '!!' : ratio > BAR ? '!' : ''
    return `${what} ${cost[what].toFixed(1).padStart(6)} ×${ratio.toFixed(1).padStart(5)} ${missed.padEnd(2)}`
  })
  console.log(`${dialect.padEnd(19)}${shape.padEnd(30)}parse ${cost.parse.toFixed(1).padStart(6)}  ${cells.join('  ')}`)
}

async function costOf(body: Body, server: Proxied): Promise<Cost> {
  const { dialect, shape, isValid, text } = body
  const options = { provider: mains[dialect], dialect } as never
  const megabytes = text.length / 1e6
  const parsed = () => JSON.parse(text) as object
  const parse = best(parsed) / megabytes
  const linted = best(parsed, (value) => lint(value, options)) / megabytes
  const repaired = best(parsed, (value) => repair(value, options)) / megabytes
  return {
    body: { dialect, shape, isValid },
    parse,
    lint: linted,
    repair: repaired,
    gateway: await passed(body, server),
  }
}

/** The least of some runs, without the parse if there is something to do after it. */
function best(made: () => object, work?: (value: object) => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    let began = spent()
    const value = made()
    if (work) began = spent()
    work?.(value)
    least = Math.min(least, spent() - began)
  }
  return least
}

async function passed(body: Body, server: Proxied): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = await cpuOf(server.child)
    await post(server, body, body.text)
    least = Math.min(least, ((await cpuOf(server.child)) - before) / 1000)
  }
  return least / (body.text.length / 1e6)
}

async function post(server: Proxied, { path }: Body, body: string | Uint8Array, headers = {}): Promise<number> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(server.url + path, { ...sent, body: body as string })
  await response.arrayBuffer()
  return response.status
}

/** Eight clients at once, with bodies of a twelfth of the limit: one gateway for each shape. */
async function memory(isPacked: boolean): Promise<void> {
  console.log(`\nMost resident memory, limit ${LIMIT / 1e6} MB${isPacked ? ', compressed bodies' : ''}`)
  for (const body of bodies(LIMIT / 12, only)) {
    if (body.dialect !== 'openai-chat' && !/numbers|objects|tiny|calls without/.test(body.shape)) continue
    const server = await start('gateway', upstream.url)
    const sent = isPacked ? packed(body) : body.text
    const statuses: number[] = []
    const client = async () => {
      for (let i = 0; i < 3; i++)
        statuses.push(await post(server, body, sent, isPacked ? { 'content-encoding': 'gzip' } : {}).catch(() => 0))
    }
    await Promise.all(Array.from({ length: 8 }, client))
    const most = peakOf(server.child!.pid!)
    server.child!.kill()
    const ratio = most / LIMIT
    const counts = [...new Set(statuses)].map(
      (status) => `${status}: ${statuses.filter((one) => one === status).length}`,
    )
    console.log(
      `${body.dialect.padEnd(19)}${body.shape.padEnd(30)}${(most / 1e6).toFixed(0).padStart(6)} MB ×${ratio.toFixed(2)} ${ratio > MEMORY_BAR ? '!' : ' '} ${counts.join(', ')}`,
    )
  }
}

/** The most resident memory that the system has seen of a process; 0 without procfs. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return 0
  }
}
