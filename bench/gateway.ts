/**
 * What the gateway costs against a proxy that only parses, and against none: ratios in one run. Usage: npm run bench:gateway
 * The proxies run in processes of their own; upstream and load are this one. @portkey-ai/gateway is not installed here and not measured.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { gateway } from '../src/gateway/index.ts'
import { broken, longHistory, subjects } from './histories.ts'

const ANSWER = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Words. '.repeat(20) }, finish_reason: 'stop' }],
})
const HEADERS = { 'content-type': 'application/json' }
const PATH = '/openai/v1/chat/completions'
const SIZES = [
  [2e3, 32],
  [100e3, 16],
  [1e6, 8],
] as const
const ROUNDS = 4
const SECONDS = Number(process.env['SECONDS'] ?? 3)

const [, , role, upstream] = process.argv
if (role === 'min-parse') minParse(upstream!)
else if (role === 'gateway') await ours(upstream!)
else await main()

/** Buffer, decode, parse, pass on: the least that anything which looks at histories has to do. */
function minParse(target: string): void {
  const pool = new Pool(target)
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      JSON.parse(body.toString())
      const sent = { method: 'POST' as const, path: request.url!, headers: HEADERS, body }
      pool.stream(sent, ({ statusCode, headers }) => response.writeHead(statusCode, headers as never)).catch(() => {})
    })
  })
  server.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

async function ours(target: string): Promise<void> {
  const gate = gateway({ upstreams: { openai: { url: `${target}/openai` } } })
  ready((await gate.listen({ port: 0 })).url)
}

function ready(url: string): void {
  process.on('message', () => process.send!(process.cpuUsage()))
  process.send!(url)
}

interface Proxy {
  readonly name: string
  readonly url: string
  readonly child?: ChildProcess
}

async function main(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, HEADERS).end(ANSWER))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxies: Proxy[] = [{ name: 'direct', url }, await started('min-parse', url), await started('gateway', url)]
  const subject = subjects.find(({ provider }) => provider === 'openai')!
  for (const [size, connections] of SIZES) {
    const messages = longHistory(subject, size)
    const bodies = { sound: bodyOf(messages), mended: bodyOf(broken(messages, subject.dialect)) }
    for (const [kind, body] of Object.entries(bodies)) {
      const best = new Map<string, { rate: number; cpu: number }>()
      for (let round = 0; round < ROUNDS; round++) {
        for (const proxy of proxies) {
          const found = await loaded(proxy, body, connections)
          if (round > 0 && found.rate > (best.get(proxy.name)?.rate ?? 0)) best.set(proxy.name, found)
        }
      }
      const least = best.get('min-parse')!
      console.log(`${size / 1e3} kB, ${connections} connections, ${kind}`)
      for (const [name, { rate, cpu }] of best)
        console.log(
          `  ${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s  ${(rate / least.rate).toFixed(2)} × min-parse  ${cpu.toFixed(0)} µs`,
        )
    }
  }
  for (const { child } of proxies) child?.kill()
  server.closeAllConnections()
  server.close()
}

function bodyOf(messages: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ model: 'gpt-4.1', messages }))
}

function started(name: string, url: string): Promise<Proxy> {
  const child = fork(fileURLToPath(import.meta.url), [name, url])
  return new Promise((resolve) => child.once('message', (at) => resolve({ name, url: String(at), child })))
}

function cpuOf(child: ChildProcess | undefined): Promise<number> {
  if (!child) return Promise.resolve(0)
  child.send('cpu')
  return new Promise((resolve) => child.once('message', (used: NodeJS.CpuUsage) => resolve(used.user + used.system)))
}

async function loaded({ url, child }: Proxy, body: Buffer, connections: number) {
  const pool = new Pool(url, { connections })
  const until = performance.now() + SECONDS * 1000
  const before = await cpuOf(child)
  const began = performance.now()
  let count = 0
  const one = async () => {
    while (performance.now() < until) {
      const { statusCode, body: answer } = await pool.request({ method: 'POST', path: PATH, headers: HEADERS, body })
      await answer.dump()
      if (statusCode !== 200) throw new Error(`Answered with ${statusCode}.`)
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - began) / 1000
  const cpu = ((await cpuOf(child)) - before) / count
  await pool.close()
  return { rate: count / seconds, cpu }
}
