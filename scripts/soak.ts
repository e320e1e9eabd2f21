/**
 * Many streams through a gateway, with clients that leave and upstreams that break off.
 * Usage: npm run soak -- --minutes 10 --streams 1000
 * Every stream must end completely or with an error, every abort must reach the upstream, and no socket may stay open.
 * Prints the heap after a collection if node was started with --expose-gc, as npm run soak does.
 */
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'
import { Random } from '../src/testing/corruptions/random.ts'

export interface SoakOptions {
  readonly streams: number
  /** Streams in all; endless without. */
  readonly total: number
  readonly seed: number
}

export interface Soaked {
  complete: number
  failed: number
  canceled: number
  /** Streams that ended without an end and without an error: there must be none. */
  silent: number
  inFlight: number
  /** Upstream requests that still ran when all clients were gone. */
  running: number
  /** Sockets that are open when all is closed. */
  sockets: number
}

const TEXT = 'Some words of an answer that take a while to be said. '.repeat(8)

export async function soak({ streams, total, seed }: SoakOptions, mayContinue = () => true): Promise<Soaked> {
  const outside = socketsNow()
  const chance = { seed, faults: { 'cut-after-events=9': 0.1, 'end-after-events=7': 0.05, 'status=529': 0.05 } }
  const contract = await startContract({ chance, maxRequests: streams * 2 })
  const server = gateway({ upstreams: { openai: { url: `${contract.url}/openai` } }, guard: { wait: async () => {} } })
  const listening = await server.listen({ port: 0 })
  const random = new Random(seed)
  const result: Soaked = { complete: 0, failed: 0, canceled: 0, silent: 0, inFlight: 0, running: 0, sockets: 0 }
  let asked = 0
  const client = async () => {
    while (asked < total && mayContinue()) {
      asked++
      contract.script({ text: TEXT, chunkBytes: 24, paceMs: 5 })
      result[await stream(listening.url, random.chance(30) ? random.below(2000) : undefined)]++
    }
  }
  await Promise.all(Array.from({ length: streams }, client))
  await listening.close(10_000)
  const endings = await Promise.race([Promise.all(contract.requests.map(({ done }) => done)), later(10_000)])
  result.running = endings ? 0 : contract.requests.length
  result.inFlight = Number(/^suture_in_flight (\S+)$/m.exec(server.metrics())?.[1])
  await contract.close()
  result.sockets = await remainingSockets(outside)
  return result
}

/** One stream; cancels after this many bytes if given. */
function stream(url: string, leavesAt: number | undefined): Promise<'complete' | 'failed' | 'canceled' | 'silent'> {
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  return new Promise((resolve) => {
    const call = request(`${url}/openai/v1/chat/completions`, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        if (leavesAt === undefined || text.length < leavesAt) return
        resolve('canceled')
        call.destroy()
      })
      response.on('error', () => resolve('failed'))
      response.on('end', () => {
        if (response.statusCode !== 200 || text.includes('"error"')) resolve('failed')
        else resolve(text.endsWith('data: [DONE]\n\n') ? 'complete' : 'silent')
      })
    })
    call.on('error', () => resolve('failed'))
    call.end(body)
  })
}

/** Sockets that this process has open. */
function socketsNow(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

/** How many there are beside those from before, when those that are closing have had time for it. */
async function remainingSockets(before: number): Promise<number> {
  for (let i = 0; i < 100 && socketsNow() > before; i++) await new Promise((resolve) => setTimeout(resolve, 20))
  return Math.max(0, socketsNow() - before)
}

function later(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, streams: { type: 'string' }, seed: { type: 'string' } },
  })
  const until = Date.now() + Number(values.minutes ?? 1) * 60_000
  const seed = Number(values.seed ?? 1)
  const streams = Number(values.streams ?? 1000)
  const before = process.memoryUsage().rss
  const watch = setInterval(() => console.log(used()), 10_000)
  const result = await soak({ streams, total: Number.POSITIVE_INFINITY, seed }, () => Date.now() < until)
  clearInterval(watch)
  console.log({ seed, streams, ...result, grownMB: Math.round((process.memoryUsage().rss - before) / 1e6) })
  console.log(used())
  if (result.silent + result.inFlight + result.running + result.sockets > 0) process.exitCode = 1
}

function used(): string {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return `${(rss / 1e6).toFixed(0)} MB, of it heap in use ${(heapUsed / 1e6).toFixed(0)} MB`
}
