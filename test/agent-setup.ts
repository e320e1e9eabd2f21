/**
 * Shared by tests of the agent: every dialect with one of its providers, sessions on them, and a check of what is in a
 * session.
 */

import { type ContractOptions, contractFetch, type Endpoint, judge } from '../contract/index.ts'
import type { Tool, Turn, TurnEvent, TurnOptions } from '../src/agent/index.ts'
import type { Part } from '../src/core/index.ts'
import { memoryStore, type Session, type Store } from '../src/session.ts'
import { lint, openSession } from './untyped-api.ts'

export interface Setup {
  readonly dialect: string
  readonly provider: string
  readonly model: string
  readonly endpoint: Endpoint
  readonly url: string
  /** The key of the history in a request. */
  readonly key: string
}

const HOST = 'http://contract.invalid'

export const setups: readonly Setup[] = [
  { dialect: 'openai-chat', provider: 'openai', model: 'gpt-4o', endpoint: 'chat', url: `${HOST}/v1`, key: 'messages' },
  {
    dialect: 'openai-responses',
    provider: 'openai',
    model: 'gpt-4.1',
    endpoint: 'responses',
    url: `${HOST}/v1`,
    key: 'input',
  },
  {
    dialect: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    endpoint: 'messages',
    url: HOST,
    key: 'messages',
  },
  { dialect: 'gemini', provider: 'gemini', model: 'gemini-2.5-flash', endpoint: 'gemini', url: HOST, key: 'contents' },
  {
    dialect: 'bedrock-converse',
    provider: 'bedrock',
    model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    endpoint: 'converse',
    url: HOST,
    key: 'messages',
  },
]

export function open(setup: Setup, store: Store = memoryStore(), id = 'chat'): Promise<Session> {
  const { provider, dialect, model } = setup
  return openSession(store, id, { provider, dialect, model })
}

export function contract(options: ContractOptions = {}) {
  return contractFetch(options)
}

/** Options of a turn that never waits for real. */
export function optionsOf(setup: Setup, fetch: typeof globalThis.fetch, more: Partial<TurnOptions> = {}): TurnOptions {
  return { model: setup.model, url: setup.url, fetch, ...more, guard: { wait: async () => {}, ...more.guard } }
}

export function tool(name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool {
  return { name, description: `The tool ${name}.`, parameters: { type: 'object', properties: {} }, run, ...more }
}

/** What the provider would reject in this session now; empty if it is valid. */
export async function invalid(setup: Setup, session: Session, tools: readonly Tool[] = []): Promise<readonly string[]> {
  const history = await session.history()
  if (history.length === 0) return []
  const { provider, dialect, model } = setup
  const found = lint(history, { provider, dialect, model }).filter(({ severity }) => severity === 'error')
  const verdict = judgeOf(setup, history, tools)
  return [
    ...found.map(({ rule }) => `lint: ${rule}`),
    ...(verdict.accepted ? [] : [`judge: ${verdict.rule}: ${verdict.message}`]),
  ]
}

function judgeOf(setup: Setup, history: readonly unknown[], tools: readonly Tool[]) {
  const body = {
    [setup.key]: history,
    ...(setup.endpoint === 'gemini' || setup.endpoint === 'converse' ? {} : { model: setup.model }),
    ...declared(setup, tools),
  }
  const provider = setup.endpoint === 'responses' ? 'openai-responses' : setup.provider
  return judge({ provider, endpoint: setup.endpoint, model: setup.model, headers: {}, body, stream: true })
}

function declared({ endpoint }: Setup, tools: readonly Tool[]): object {
  const names = tools.length > 0 ? tools.map(({ name }) => name) : ['nothing']
  const schema = { type: 'object', properties: {} }
  if (endpoint === 'messages') return { max_tokens: 100, tools: names.map((name) => ({ name, input_schema: schema })) }
  if (endpoint === 'converse')
    return { toolConfig: { tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: schema } } })) } }
  return {}
}

export async function eventsOf(turn: Turn): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

export function textIn(events: readonly TurnEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}

/** The history in one line: `user hi | call weather | result weather Sunny. | assistant It is sunny.` */
export async function outline(session: Session): Promise<string> {
  const { dialect } = session.wiring.service
  const names = new Map<string | undefined, string | undefined>()
  const lines: string[] = []
  for (const message of await session.history()) {
    const parts: Part[] = []
    const role = dialect.read(message, 0, parts)
    for (const part of parts) {
      if (part.kind === 'call') names.set(part.id ?? part.name, part.name)
      if (part.kind === 'call') lines.push(`call ${part.name}`)
      else if (part.kind === 'result')
        lines.push(`result ${part.name ?? names.get(part.id)} ${dialect.content(part).text}`)
      else if (part.kind === 'text') lines.push(`${role} ${String(part.body)}`)
      else lines.push(part.kind)
    }
  }
  // Some providers want a prompt at the end of whatever is sent.
  return lines.join(' | ').replace(/ \| user Continue\.$/, '')
}

/** The answer stops after this marker, and nothing more comes until the client leaves. */
export function stalledAt(fetch: typeof globalThis.fetch, marker: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const at = Buffer.from(bytes).indexOf(marker)
    if (at < 0) return new Response(bytes, response)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, at + marker.length))
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, response)
  }
}

/** A promise and what settles it. */
export function deferred<T = void>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
