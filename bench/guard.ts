/**
 * What the guard costs: ratios of one run, by processor time. Works take turns; the best of each counts, and the median
 * of the rounds is printed beside it. Usage: npm run bench:guard [-- requests | http | streams | errors]
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { repair } from '../src/core/index.ts'
import { explain, guard } from '../src/guard/index.ts'
import { endpointOf, repairTargetFor, resolveOptions } from '../src/guard/transport.ts'
import { bests, line, summarize, taken } from './guard-rounds.ts'
import { streams } from './guard-streams.ts'
import { broken, longHistory } from './histories.ts'
import { subjectFor } from './subjects.ts'

const URL_CHAT = 'https://api.openai.com/v1/chat/completions'
const subject = subjectFor('openai', 'openai-chat', 'gpt-4.1-mini')
const decoder = new TextDecoder()
const encoder = new TextEncoder()
const ANSWER = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  model: 'gpt-4.1',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Words of an answer. '.repeat(20) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
const HEADERS = { 'content-type': 'application/json' }

const bare = async () => new Response(ANSWER, { headers: HEADERS })
const guarded = guard({ fetch: bare })

const parts: Readonly<Record<string, () => Promise<void>>> = { requests, http, streams, errors }
const [part = 'all'] = process.argv.slice(2)
if (part === 'serve') serve()
else for (const [name, run] of Object.entries(parts)) if (part === 'all' || part === name) await run()

async function requests(): Promise<void> {
  console.log('valid requests: what the guard adds, against decode + JSON.parse of the body')
  for (const size of [1e6, 100e3]) for (const mixed of [false, true]) await valid(size, mixed)
  console.log('repaired against valid requests of 1 MB')
  for (const mixed of [false, true]) {
    const { bytes, damaged } = bodies(1e6, mixed)
    const lists = await taken([sending(bytes), sending(damaged)], { rounds: 40, times: 4 })
    line(
      nameOf(mixed),
      summarize(lists, ([whole, repaired]) => repaired! / whole!),
      1.5,
    )
    console.log(`    µs: ${bests(['valid', 'repaired'], lists)}`)
  }
}

/** A log of 100 kB that ends with an error: below 10 ms. */
async function errors(): Promise<void> {
  const error = 'ERROR 400 {"error":{"message":"messages.4: `tool_use` ids were found without `tool_result` blocks"}}'
  const lines = Array.from(
    { length: 1200 },
    (_, i) => `2026-11-20T00:00:01Z INFO turn ${i}: result of call_${i} was stored`,
  )
  const log = [...lines, error, ...lines.slice(0, 400)].join('\n')
  const lists = await taken([async () => void explain(log)], { rounds: 40, times: 4 })
  const spent = summarize(lists, ([taken]) => taken! / 1000)
  line(`explain ${Math.round(log.length / 1e3)} kB of a log, ms`, spent, 10)
}

async function valid(size: number, mixed: boolean): Promise<void> {
  const { bytes } = bodies(size, mixed)
  const parse = () => JSON.parse(decoder.decode(bytes))
  const endpoint = endpointOf({ host: 'api.openai.com', path: '/v1/chat/completions' })!
  const target = repairTargetFor(endpoint, resolveOptions({}))
  const works = [parse, () => repair(parse(), target), nothing, sending(bytes)]
  const lists = await taken(works, { rounds: 40, times: size > 5e5 ? 4 : 20 })
  const added = summarize(lists, ([parsed, , without, through]) => (through! - without!) / parsed!)
  line(`${size / 1e3} kB ${nameOf(mixed)}`, added, 1.3)
  const lint = summarize(lists, ([parsed, linted]) => (linted! - parsed!) / parsed!)
  const own = summarize(lists, ([parsed, linted, without, through]) => (through! - without! - linted!) / parsed!)
  const made = `decode and parse 1, lint ${lint.median.toFixed(2)}, all else ${own.median.toFixed(2)}`
  console.log(`    made of: ${made}; µs: ${bests(['parse', 'and lint', 'bare', 'guarded'], lists)}`)
}

function nameOf(mixed: boolean): string {
  return mixed ? 'mixed' : 'ASCII'
}

/** One body of about this size, and the same with every tenth round broken. */
function bodies(size: number, mixed: boolean) {
  const plain = ascii(longHistory(subject, size)) as unknown[]
  const history = mixed ? (foreign(plain) as unknown[]) : plain
  const write = (messages: unknown[]) => encoder.encode(JSON.stringify({ model: 'gpt-4.1', messages }))
  return { bytes: write(history), damaged: write(broken(history, 'openai-chat')) }
}

function ascii(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/[^\0-\x7f]/g, '?'))
}

/** A little text that is not Latin in every message. */
function foreign(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"content":"', '"content":"中文 é 😀 '))
}

/** A request without the guard, and one through it; the answer is there at once. */
async function nothing(): Promise<void> {
  await (await bare()).text()
}

function sending(bytes: Uint8Array): () => Promise<unknown> {
  const init = { method: 'POST', headers: HEADERS, body: bytes as Uint8Array<ArrayBuffer> }
  return async () => (await guarded(URL_CHAT, init)).text()
}

/** Requests of 2 kB to a server in a process of its own. */
async function http(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['serve'])
  const port = await new Promise<number>((resolve) => server.once('message', (message) => resolve(Number(message))))
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const body = small()
  const through = guard({ provider: 'openai' })
  const by = (ask: typeof fetch) => async () => (await ask(url, { method: 'POST', headers: HEADERS, body })).json()
  const lists = await taken([by(fetch), by(through)], { rounds: 40, times: 100 })
  console.log('requests over loopback, against bare fetch')
  line(
    `${(body.length / 1e3).toFixed(1)} kB`,
    summarize(lists, ([without, with_]) => with_! / without!),
    1.15,
  )
  console.log(`    µs: ${bests(['bare', 'guarded'], lists)}`)
  server.kill()
}

/** A first question with its instructions: 2 kB. */
function small(): string {
  const messages = [
    { role: 'system', content: 'You are an agent that looks things up. '.repeat(35) },
    { role: 'user', content: 'What is the weather in Oslo? '.repeat(15) },
  ]
  return JSON.stringify({ model: 'gpt-4.1', messages })
}

function serve(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, HEADERS).end(ANSWER))
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}
