/** A client of a gateway that records, and what the store has afterward. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gateway } from '../../src/gateway/index.ts'
import { openSession, type Store } from '../../src/session.ts'
import type { Client, Message } from './recorded-clients.ts'

export interface Recorder extends Client {
  requests(): number
  /** From now on another gateway has this place, which knows nothing. */
  restart(): void
  /** Processor time of the client itself: what a gateway does not do. */
  clientSeconds(): number
  readBack(): Promise<ReadBack>
  close(): Promise<void>
}

export interface ReadBack {
  /** What the answers named as their session. */
  readonly ids: readonly string[]
  readonly branches: readonly string[]
  /** Requests that the log does not have, and what else is wrong. */
  readonly problems: readonly string[]
  /** Bytes of all different messages. */
  readonly fresh: number
}

interface Exchange {
  readonly messages: readonly Message[]
  readonly reply: Message
  readonly branch: string
}

/** `session`: the id that the client sends. `count`: gateways on this store; requests go to one after the other. */
export async function recorder(store: Store, session = 's1', gateways = 1): Promise<Recorder> {
  let count = 0
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      const content = `Answer ${count}. ${`Some words of answer ${count}, and more. `.repeat(12)}`
      count++
      const message = { role: 'assistant', content }
      const body = {
        id: 'x',
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const { port } = upstream.address() as AddressInfo
  const opened = () => gateway({ upstreams: { own: { url: `http://127.0.0.1:${port}`, provider: 'openai' } }, store })
  const gates = Array.from({ length: gateways }, opened)
  const left: typeof gates = []
  const exchanges: Exchange[] = []
  const ids = new Set<string>()
  let own = 0
  return {
    requests: () => exchanges.length,
    restart() {
      left.push(gates.shift()!)
      gates.push(opened())
    },
    clientSeconds: () => own / 1e6,
    async ask(messages, more = {}) {
      const before = process.cpuUsage()
      const body = JSON.stringify({ model: 'm', messages, ...more })
      const { user, system } = process.cpuUsage(before)
      own += user + system
      const headers = { 'content-type': 'application/json', 'suture-session': session }
      const request = new Request('http://localhost/own/v1/chat/completions', { method: 'POST', headers, body })
      gates.push(gates.shift()!)
      const response = await gates[0]!.fetch(request)
      const { choices } = (await response.json()) as Message
      const reply = choices[0].message
      const id = response.headers.get('suture-session')!
      ids.add(id)
      exchanges.push({
        messages: JSON.parse(body).messages,
        reply,
        branch: response.headers.get('suture-branch') ?? id,
      })
      return reply.content
    },
    async readBack() {
      const all = await store.list('', 1e6)
      const names = all.filter((name) => name.endsWith(`/${session}`) || name.includes(`/${session}~`))
      const branches = names.filter((name) => name.includes('~'))
      return { ids: [...ids], branches, problems: await problemsIn(store, names, exchanges), fresh: freshIn(exchanges) }
    },
    async close() {
      for (const gate of [...gates, ...left]) await gate.close()
      upstream.closeAllConnections()
      upstream.close()
    },
  }
}

/** Everything that a message says, without what clients write in another way. */
function counted({ role, content, tool_calls: calls }: Message): string {
  const texts = typeof content === 'string' ? content : (content ?? []).map((part: Message) => part.text).join('')
  const asked = (calls ?? []).map((call: Message) => [call.function.name, JSON.parse(call.function.arguments)])
  return JSON.stringify([role, texts.trim(), asked])
}

const keyOf = (messages: readonly Message[]) =>
  messages
    .map(counted)
    .filter((key) => key !== '["assistant","",[]]')
    .join('\n')

/** Every request with its reply is the conversation at some position of some line, and the last of each line is its end. */
async function problemsIn(store: Store, names: readonly string[], exchanges: readonly Exchange[]): Promise<string[]> {
  const problems: string[] = []
  const found = new Set<string>()
  const stored = new Set<string>()
  const ends = new Map<string, string>()
  for (const name of names) {
    const session = await openSession(store, name, { provider: 'openai' })
    const { valid } = await session.verify()
    if (!valid) problems.push(`${name} does not verify`)
    const { base } = await session.lineage()
    const last = new Map<string, number>()
    const id = name.slice(name.indexOf('/') + 1)
    for await (const { kind, seq, op, body } of session.records()) {
      if (kind !== 'message' || seq <= (base?.head ?? 0)) continue
      last.set(op, seq)
      const { message } = JSON.parse(body) as { message?: Message }
      const text = message && counted(message)
      if (text && text.length > 300 && stored.has(text)) problems.push(`${id}: record ${seq} is stored twice`)
      if (text) stored.add(text)
    }
    for (const at of last.values()) found.add(`${id} ${keyOf((await session.raw({ at })) as Message[])}`)
    ends.set(id, keyOf((await session.history()) as Message[]))
  }
  for (const [i, { messages, reply, branch }] of exchanges.entries())
    if (!found.has(`${branch} ${keyOf([...messages, reply])}`))
      problems.push(`request ${i} is not in the log of ${branch}`)
  const latest = exchanges.at(-1)!
  if (ends.get(latest.branch) !== keyOf([...latest.messages, latest.reply])) problems.push('the end is another one')
  return problems
}

function freshIn(exchanges: readonly Exchange[]): number {
  const all = new Map<string, number>()
  for (const { messages, reply } of exchanges)
    for (const message of [...messages, reply]) all.set(counted(message), JSON.stringify(message).length)
  return [...all.values()].reduce((sum, size) => sum + size, 0)
}
