/**
 * What the guard costs: ratios in one run, by CPU time. Usage: npm run bench:guard
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { guard } from '../src/guard/index.ts'
import { broken, longHistory, subjects } from './histories.ts'

const URL_CHAT = 'https://api.openai.com/v1/chat/completions'
const subject = subjects.find(({ provider }) => provider === 'openai')!
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

if (process.argv[2] === 'serve') serve()
else await main()

async function main(): Promise<void> {
  console.log('sound requests: what the guard adds, against decode + JSON.parse of the body (bar 1.3)')
  for (const size of [100e3, 1e6]) {
    for (const mixed of [false, true]) {
      const { bytes } = bodies(size, mixed)
      const parse = () => JSON.parse(decoder.decode(bytes))
      const [parsed, bare, guarded] = await costs([parse, nothing, asking(bytes)])
      const ratio = (way: keyof Cost) => ((guarded![way] - bare![way]) / parsed![way]).toFixed(2)
      const told = `parse ${us(parsed!.best)}, added ${us(guarded!.best - bare!.best)}`
      console.log(`  ${size / 1e3} kB ${nameOf(mixed)}: best ${ratio('best')}, median ${ratio('median')} (${told})`)
    }
  }
  console.log('mended against sound requests of 1 MB (bar 1.5)')
  for (const mixed of [false, true]) {
    const { bytes, damaged } = bodies(1e6, mixed)
    const [sound, mended] = await costs([asking(bytes), asking(damaged)])
    const ratio = (way: keyof Cost) => (mended![way] / sound![way]).toFixed(2)
    const told = `sound ${us(sound!.best)}, mended ${us(mended!.best)}`
    console.log(`  ${nameOf(mixed)}: best ${ratio('best')}, median ${ratio('median')} (${told})`)
  }
  await overHttp()
  await streams()
}

function nameOf(mixed: boolean): string {
  return mixed ? 'mixed' : 'ASCII'
}

function us(milliseconds: number): string {
  return `${(milliseconds * 1000).toFixed(0)} µs`
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

function asking(bytes: Uint8Array): () => Promise<unknown> {
  const init = { method: 'POST', headers: HEADERS, body: bytes as Uint8Array<ArrayBuffer> }
  return async () => (await guarded(URL_CHAT, init)).text()
}

interface Cost {
  readonly best: number
  readonly median: number
}

/** Milliseconds of CPU of each, over batches that take turns. */
async function costs(works: readonly (() => unknown)[], batches = 40): Promise<Cost[]> {
  const taken: number[][] = works.map(() => [])
  for (let batch = 0; batch < batches; batch++) {
    for (const [i, work] of works.entries()) {
      const times = 8
      const before = process.cpuUsage()
      for (let n = 0; n < times; n++) await work()
      const { user, system } = process.cpuUsage(before)
      taken[i]!.push((user + system) / 1000 / times)
    }
  }
  return taken.map((list) => ({ best: Math.min(...list), median: median(list) }))
}

/** Requests of 2 kB to a server in a process of its own; the CPU of this one counts. */
async function overHttp(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['serve'])
  const port = await new Promise<number>((resolve) => server.once('message', (message) => resolve(Number(message))))
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const body = small()
  const through = guard({ provider: 'openai' })
  const cpu = async (ask: typeof fetch) => {
    const before = process.cpuUsage()
    for (let i = 0; i < 400; i++) await (await ask(url, { method: 'POST', headers: HEADERS, body })).json()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 400
  }
  const ratios: number[] = []
  for (let round = 0; round < 12; round++) {
    const [bare, with_] = [await cpu(fetch), await cpu(through)]
    if (round > 1) ratios.push(with_ / bare)
    if (round === 11)
      console.log(
        `requests of ${(body.length / 1e3).toFixed(1)} kB, CPU against bare fetch (bar 1.15): best ${Math.min(...ratios).toFixed(2)}, median ${median(ratios).toFixed(2)} (bare ${bare.toFixed(0)} µs, guarded ${with_.toFixed(0)} µs)`,
      )
  }
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

async function streams(): Promise<void> {
  const events = Array.from({ length: 2000 }, (_, i) =>
    encoder.encode(
      `data: ${JSON.stringify({ id: 'chatcmpl-x', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1', choices: [{ index: 0, delta: { content: `word ${i} ` }, finish_reason: i === 1999 ? 'stop' : null }] })}\n\n`,
    ),
  )
  for (const [together, listens] of [
    [1, false],
    [8, false],
    [1, true],
    [8, true],
  ] as const) {
    const chunks = Array.from({ length: events.length / together }, (_, i) =>
      Buffer.concat(events.slice(i * together, (i + 1) * together)),
    )
    const bare = async () => new Response(streamOf(chunks), { headers: { 'content-type': 'text/event-stream' } })
    const through = async () => new Response(again((await bare()).body!))
    const watched = guard({ fetch: bare, ...(listens ? { onReply: () => {} } : {}) })
    const init = {
      method: 'POST',
      headers: HEADERS,
      body: '{"model":"gpt-4.1","messages":[{"role":"user","content":"x"}]}',
    }
    const taken: number[][] = [[], [], []]
    for (let round = 0; round < 25; round++) {
      for (const [i, ask] of [bare, through, () => watched(URL_CHAT, init)].entries())
        taken[i]!.push(await drained(await ask()))
    }
    const [plain, passed, kept] = taken.map((list) => median(list.slice(5)) / events.length)
    console.log(
      `streams, ${together} events a chunk${listens ? ', reply wanted' : ''}, per event over pass-through (bar 2 µs): ${(kept! - passed!).toFixed(2)} µs (bare ${plain!.toFixed(2)}, passed through ${passed!.toFixed(2)}, guarded ${kept!.toFixed(2)})`,
    )
  }
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (at < chunks.length) controller.enqueue(chunks[at++]!)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The least that anybody has to do who stands in between. */
function again(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Microseconds of CPU to read it all. */
async function drained(response: Response): Promise<number> {
  const before = process.cpuUsage()
  const reader = response.body!.getReader()
  while (!(await reader.read()).done);
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!
}
