/**
 * One request to a model, in the session's dialect and through the guard: reports deltas as they arrive and returns the
 * assembled reply. With a client of your own, pass it the guard's `fetch` instead.
 */
import { isSutureError, jsonText, type Provider, type Reply, type Service, SutureError } from '../core/index.ts'
import { framingOf, splitter } from '../dialects/replies/index.ts'
import { type Delta, deltasIn, type RequestInput } from '../dialects/request.ts'
import { addressOf, requestFormOf } from '../dialects/requests.ts'
import { type Memory, shrinkMemory } from '../strategies/shrink-memory.ts'
import { askModel, isModel, type LanguageModel } from './ask-model.ts'
import type { GuardEvent } from './events.ts'
import { guard } from './fetch.ts'
import type { GuardOptions } from './options.ts'

/** The model to ask, and how. */
export interface AskOptions {
  /** The model's name, or a language model of the AI SDK for sessions of that dialect. */
  readonly model: string | LanguageModel
  /** Base URL of the provider as its own library takes it, or the full address of the endpoint. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** More fields of the request body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Abort if no byte arrives for this many milliseconds. Default: 120,000. */
  readonly idleTimeoutMs?: number
  /** Options of the guard that every request goes through. */
  readonly guard?: Omit<GuardOptions, 'provider' | 'dialect' | 'onReply'>
}

/** The target of requests. Shrunk results stay shrunk in the next request of the same object. */
export interface AskTarget {
  readonly provider: string
  readonly service: Service
}

/** What is reported while a request runs: pieces of the reply, and what the guard did. */
export type AskEvent =
  | Delta
  | { readonly type: 'repaired'; readonly event: GuardEvent }
  | { readonly type: 'recovered'; readonly recovery: string; readonly report: unknown }

export interface AskListener {
  readonly signal: AbortSignal
  onEvent(event: AskEvent): void
}

/** The outcome of a request: a reply, complete or not, or an error. */
export interface AskResult {
  readonly reply?: Reply
  readonly error?: Error
  /** The text that was reported. */
  readonly text: string
  /** The provider rejected the request as too long. */
  readonly tooLong: boolean
}

const STALL = 120_000
const memories = new WeakMap<AskTarget, Memory>()

/** Asks once. Never throws for errors of the provider or the connection. */
export async function ask(
  target: AskTarget,
  input: Omit<RequestInput, 'model'>,
  options: AskOptions,
  to: AskListener,
): Promise<AskResult> {
  const stalled = new AbortController()
  let text = ''
  const listener: AskListener = {
    signal: AbortSignal.any([to.signal, stalled.signal]),
    onEvent(event) {
      if (event.type === 'text') text += event.text
      to.onEvent(event)
    },
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => stalled.abort(new Error('No byte arrived from the provider in time.')),
      options.idleTimeoutMs ?? STALL,
    )
  }
  alive()
  try {
    const { model } = options
    const result = isModel(model)
      ? { reply: await askModel(model, input, listener, alive), tooLong: false }
      : await wired(target, { ...input, model }, options, listener, alive)
    return { ...result, text }
  } catch (error) {
    if (isSutureError(error, 'bad-option')) throw error
    return { error: error instanceof Error ? error : new Error(String(error)), text, tooLong: false }
  } finally {
    clearTimeout(timer)
  }
}

async function wired(target: AskTarget, input: RequestInput, options: AskOptions, to: AskListener, alive: () => void) {
  const { dialect } = target.service
  const wire = requestFormOf(dialect)
  if (!wire || options.url === undefined) throw missingAddress(dialect.id)
  const result: { reply?: Reply; tooLong: boolean } = { tooLong: false }
  const send = guarded(target, input.model, options, to, result)
  const response = await send(addressOf(options.url, input.model, dialect), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers, ...options.headers },
    body: jsonText({ ...wire.body(input), ...options.body }) ?? '{}',
    signal: to.signal,
  })
  if (!response.ok)
    return { error: rejectionError(response.status, await response.text(), target.provider), tooLong: result.tooLong }
  try {
    await listened(response, (data, event) => {
      alive()
      for (const delta of deltasIn(wire, data, event)) to.onEvent(delta)
    })
  } catch (error) {
    // The reply has what arrived before the stream broke.
    if (!result.reply) throw error
  }
  if (!result.reply) return { ...result, error: new Error('The response cannot be read.') }
  return { ...result, tooLong: result.tooLong && !result.reply.complete }
}

function guarded(
  target: AskTarget,
  model: string,
  options: AskOptions,
  to: AskListener,
  result: { reply?: Reply; tooLong: boolean },
): typeof fetch {
  const { provider, service } = target
  const own: Provider = { id: provider, hosts: [], serves: [service] }
  const memory = options.guard?.memory ?? memories.get(target) ?? shrinkMemory()
  memories.set(target, memory)
  return guard({
    ...options.guard,
    ...(options.fetch ? { fetch: options.fetch } : {}),
    provider: own,
    dialect: service.dialect,
    model,
    memory,
    onReply: (reply) => {
      result.reply = reply
    },
    onEvent(event) {
      if (event.type === 'rejected') result.tooLong = event.kind === 'size'
      if (event.type === 'repaired') to.onEvent({ type: 'repaired', event })
      if (event.type === 'recovered') {
        result.tooLong = false
        to.onEvent({ type: 'recovered', recovery: event.recovery, report: event.report })
      }
      return options.guard?.onEvent?.(event)
    },
  })
}

async function listened(response: Response, frame: (data: string, event: string | undefined) => void): Promise<void> {
  const framing = framingOf(response.headers.get('content-type'))
  if (!framing || !response.body) return void (await response.arrayBuffer())
  const frames = splitter(framing)
  for await (const chunk of response.body) for (const { data, event } of frames.push(chunk)) frame(data, event)
}

function rejectionError(status: number, text: string, provider: string): SutureError {
  return new SutureError('rejected', `${provider} answered ${status}, and no recovery helped: ${text.slice(0, 500)}`, {
    status,
    text,
  })
}

function missingAddress(dialect: string): SutureError {
  return new SutureError(
    'bad-option',
    `A turn in the dialect "${dialect}" needs ${dialect === 'ai-sdk' ? 'a language model object as `model`' : 'the address of the provider as `url`'}.`,
    { dialect },
  )
}
