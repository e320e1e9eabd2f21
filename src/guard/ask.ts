/**
 * One question to a model: through the guard in its dialect's own words, told as it comes, put together at its end.
 * For who has a history and wants an answer; who has a client of their own gives it the guard's `fetch` instead.
 */
import { isSutureError, type Provider, type Reply, type Service, SutureError } from '../core/index.ts'
import { framingOf, splitter } from '../dialects/replies/index.ts'
import { type Asked, addressOf, type Delta, deltasIn, wireOf } from '../dialects/requests.ts'
import { type Memory, shrinkMemory } from '../strategies/shrink-memory.ts'
import { askModel, isModel, type LanguageModel } from './ask-model.ts'
import type { GuardEvent } from './events.ts'
import { guard } from './fetch.ts'
import type { GuardOptions } from './options.ts'

/** Who is asked, and how. */
export interface AskOptions {
  /** The model's name, or a language model of the AI SDK for sessions of that dialect. */
  readonly model: string | LanguageModel
  /** The provider's address as its own library wants it, or the whole address of the endpoint. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** More fields of the request, in the provider's own words. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Milliseconds without a byte after which an answer counts as broken off; 120,000 unless told. */
  readonly stall?: number
  /** How the guard behaves that every request goes through. */
  readonly guard?: Omit<GuardOptions, 'provider' | 'dialect' | 'onReply'>
}

/** Whose history it is. What was shrunk for one question is shrunk the same way for the next of the same object. */
export interface Whose {
  readonly provider: string
  readonly service: Service
}

/** What is told of a question: pieces of the answer, and what the guard did. */
export type AskEvent =
  | Delta
  | { readonly type: 'repaired'; readonly event: GuardEvent }
  | { readonly type: 'recovered'; readonly recovery: string; readonly report: unknown }

export interface Listener {
  readonly signal: AbortSignal
  tell(event: AskEvent): void
}

/** What came of a request: an answer, whole or not, or why there is none. */
export interface Heard {
  readonly reply?: Reply
  readonly error?: Error
  /** The text that was told. */
  readonly text: string
  /** Too long for the model, as the provider says. */
  readonly tooLong: boolean
}

const STALL = 120_000
const memories = new WeakMap<Whose, Memory>()

/** Asks once. Never throws for what the provider or the connection does. */
export async function ask(
  whose: Whose,
  asked: Omit<Asked, 'model'>,
  options: AskOptions,
  to: Listener,
): Promise<Heard> {
  const stalled = new AbortController()
  let text = ''
  const heeding: Listener = {
    signal: AbortSignal.any([to.signal, stalled.signal]),
    tell(event) {
      if (event.type === 'text') text += event.text
      to.tell(event)
    },
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(new Error('Nothing came for too long.')), options.stall ?? STALL)
  }
  alive()
  try {
    const { model } = options
    const heard = isModel(model)
      ? { reply: await askModel(model, asked, heeding, alive), tooLong: false }
      : await wired(whose, { ...asked, model }, options, heeding, alive)
    return { ...heard, text }
  } catch (error) {
    if (isSutureError(error, 'bad-option')) throw error
    return { error: error instanceof Error ? error : new Error(String(error)), text, tooLong: false }
  } finally {
    clearTimeout(timer)
  }
}

async function wired(whose: Whose, asked: Asked, options: AskOptions, to: Listener, alive: () => void) {
  const { dialect } = whose.service
  const wire = wireOf(dialect)
  if (!wire || options.url === undefined) throw noWay(dialect.id)
  const heard: { reply?: Reply; tooLong: boolean } = { tooLong: false }
  const send = guarded(whose, asked.model, options, to, heard)
  const response = await send(addressOf(options.url, asked.model, dialect), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers, ...options.headers },
    body: JSON.stringify({ ...wire.body(asked), ...options.body }),
    signal: to.signal,
  })
  if (!response.ok)
    return { error: refused(response.status, await response.text(), whose.provider), tooLong: heard.tooLong }
  try {
    await listened(response, (data, event) => {
      alive()
      for (const delta of deltasIn(wire, data, event)) to.tell(delta)
    })
  } catch (error) {
    // A stream that breaks off is told by its reply: as far as it came.
    if (!heard.reply) throw error
  }
  if (!heard.reply) return { ...heard, error: new Error('The answer cannot be read.') }
  return { ...heard, tooLong: heard.tooLong && !heard.reply.complete }
}

function guarded(
  whose: Whose,
  model: string,
  options: AskOptions,
  to: Listener,
  heard: { reply?: Reply; tooLong: boolean },
): typeof fetch {
  const { provider, service } = whose
  const own: Provider = { id: provider, hosts: [], serves: [service] }
  const memory = options.guard?.memory ?? memories.get(whose) ?? shrinkMemory()
  memories.set(whose, memory)
  return guard({
    ...options.guard,
    ...(options.fetch ? { fetch: options.fetch } : {}),
    provider: own,
    dialect: service.dialect.id,
    model,
    memory,
    onReply: (reply) => {
      heard.reply = reply
    },
    onEvent(event) {
      if (event.type === 'refused') heard.tooLong = event.kind === 'size'
      if (event.type === 'repaired') to.tell({ type: 'repaired', event })
      if (event.type === 'recovered') {
        heard.tooLong = false
        to.tell({ type: 'recovered', recovery: event.recovery, report: event.report })
      }
      const done: unknown = options.guard?.onEvent?.(event)
      // A listener that fails later must not end the process.
      if (done instanceof Promise) done.catch(() => {})
    },
  })
}

async function listened(response: Response, frame: (data: string, event: string | undefined) => void): Promise<void> {
  const framing = framingOf(response.headers.get('content-type'))
  if (!framing || !response.body) return void (await response.arrayBuffer())
  const frames = splitter(framing)
  for await (const chunk of response.body) for (const { data, event } of frames.push(chunk)) frame(data, event)
}

function refused(status: number, text: string, provider: string): SutureError {
  return new SutureError(
    'refused',
    `${provider} answered ${status}, and nothing could be done about it: ${text.slice(0, 500)}`,
    { status, text },
  )
}

function noWay(dialect: string): SutureError {
  return new SutureError(
    'bad-option',
    `A turn in the dialect "${dialect}" needs ${dialect === 'ai-sdk' ? 'a language model object as `model`' : 'the address of the provider as `url`'}.`,
    { dialect },
  )
}
