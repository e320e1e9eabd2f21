/**
 * Sessions behind the gateway. A recorded conversation of 500 turns that is sent whole each time: what it costs beside
 * the same request unrecorded, and how much of the log is read. And the memory of 10,000 kept sessions that rest.
 * Usage: npm run bench:gateway-sessions
 */
import { gateway } from '../src/gateway/index.ts'
import { memoryStore, openStore, type Store } from '../src/session.ts'
import { answerOf, mock } from './gateway-load.ts'

const TURNS = Number(process.env['TURNS'] ?? 500)
const SESSIONS = Number(process.env['SESSIONS'] ?? 10_000)
const PATH = 'http://localhost/openai/v1/chat/completions'
const answer = { role: 'assistant', content: 'The words of an answer. '.repeat(20) }
const ANSWER = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: answer, finish_reason: 'stop' }],
})

const upstream = await mock({ whole: answerOf(ANSWER) })
const upstreams = { openai: { url: `${upstream.url}/openai` } }
await recorded()
await idle()
upstream.close()

async function recorded(): Promise<void> {
  const { store, reads } = counting(memoryStore())
  const server = gateway({ upstreams, store })
  const messages: unknown[] = []
  console.log(
    `one recorded conversation, ${TURNS} turns, sent whole each time (processor time a request, median of 20)`,
  )
  for (let turn = 1; turn <= TURNS; turn++) {
    messages.push({ role: 'user', content: `Turn ${turn}. ${'The words of a question. '.repeat(20)}` })
    const body = JSON.stringify({ model: 'gpt-4.1', messages })
    const before = reads.count
    await ask(server, body, { 'suture-session': 'long' })
    messages.push(answer)
    if (turn !== 1 && turn !== 50 && turn !== TURNS && turn !== TURNS >> 1) continue
    const read = reads.count - before
    const plain = await further(server, [...messages], {})
    const also = await further(server, messages, { 'suture-session': 'long' })
    console.log(
      `  turn ${String(turn).padStart(4)}: ${(body.length / 1e3).toFixed(0).padStart(4)} kB, pass ${plain.toFixed(2)} ms, recorded ${also.toFixed(2)} ms, so ${(also - plain).toFixed(2)} ms more; ${read} records read`,
    )
  }
  await server.close()
}

/** The cost of more turns of the same conversation. Bodies are written before the clock starts: the client's work. */
async function further(server: ReturnType<typeof gateway>, messages: unknown[], headers: Record<string, string>) {
  const took: number[] = []
  for (let i = 0; i < 20; i++) {
    messages.push({ role: 'user', content: `More ${messages.length}` })
    const body = Buffer.from(JSON.stringify({ model: 'gpt-4.1', messages }))
    const before = process.cpuUsage()
    await ask(server, body, headers)
    const { user, system } = process.cpuUsage(before)
    took.push((user + system) / 1000)
    messages.push(answer)
  }
  return took.sort((a, b) => a - b)[10]!
}

async function idle(): Promise<void> {
  // SQLite keeps the sessions outside the heap: only the gateway's own memory is measured.
  const store = await openStore('sqlite::memory:')
  const server = gateway({ upstreams, store })
  const kept = { 'suture-mode': 'append' }
  const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] })
  for (let i = 0; i < 200; i++) await ask(server, body, { ...kept, 'suture-session': `warm-${i}` })
  const before = heap()
  for (let i = 0; i < SESSIONS; i += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_one, n) => ask(server, body, { ...kept, 'suture-session': `s-${i + n}` })),
    )
  const each = (heap() - before) / SESSIONS
  console.log(`${SESSIONS} kept sessions at rest: ${each.toFixed(0)} bytes of heap each (bar 2,000)`)
  await store.close()
  await server.close()
}

function heap(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** A store that counts the records which are read of it. */
function counting(store: Store): { store: Store; reads: { count: number } } {
  const reads = { count: 0 }
  const read: Store['read'] = async (...asked) => {
    const found = await store.read(...asked)
    reads.count += found.length
    return found
  }
  return { reads, store: new Proxy(store, { get: (one, name) => (name === 'read' ? read : bound(one, name)) }) }
}

function bound(store: Store, name: string | symbol): unknown {
  const value = Reflect.get(store, name)
  return typeof value === 'function' ? value.bind(store) : value
}

async function ask(
  server: ReturnType<typeof gateway>,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<void> {
  const response = await server.fetch(new Request(PATH, { method: 'POST', body, headers }))
  if (response.status !== 200) throw new Error(await response.text())
  await response.arrayBuffer()
}
