/**
 * One request of a turn: through the guard, told as it comes, put together at its end.
 */
import { isSutureError, type Provider, type Reply, SutureError } from '../core/index.ts'
import { framingOf, splitter } from '../dialects/replies/index.ts'
import { type Asked, addressOf, type Delta, deltasIn, wireOf } from '../dialects/requests.ts'
import { settle } from '../guard/core.ts'
import { type GuardEvent, guard } from '../guard/index.ts'
import type { Session } from '../session/index.ts'
import { heardFrom, isModel } from './ai-sdk.ts'
import { declaredOf } from './schema.ts'
import type { TurnOptions } from './types.ts'

/** What came of a request: an answer, whole or not, or why there is none. */
export interface Heard {
  readonly reply?: Reply
  readonly error?: Error
  /** Too long for the model, as the provider says. */
  readonly tooLong: boolean
}

export interface Listener {
  readonly signal: AbortSignal
  delta(delta: Delta): void
  event(event: GuardEvent): void
}

const STALL = 120_000

type Memory = ReturnType<typeof settle>['memory']
// What was shrunk in one turn is shrunk the same way in the next: one memory for each session.
const memories = new WeakMap<Session, Memory>()

/** What the next request says: the view of the session, and notes behind it that are no part of the conversation. */
export async function askedOf(
  session: Session,
  { system, tools = [] }: TurnOptions,
  notes: readonly string[],
  answerOnly: boolean,
): Promise<Omit<Asked, 'model'>> {
  const note = notes.length > 0 ? [session.wiring.service.dialect.say('user', notes.join('\n'))] : []
  const declared = tools.map((tool) => {
    return { name: tool.name, description: tool.description, schema: declaredOf(tool.parameters, tool.declared) }
  })
  return { history: [...(await session.history()), ...note], system, tools: declared, answerOnly }
}

/** Asks once. Never throws for what the provider or the connection does. */
export async function ask(
  session: Session,
  asked: Omit<Asked, 'model'>,
  options: TurnOptions,
  to: Listener,
): Promise<Heard> {
  const stalled = new AbortController()
  const signal = AbortSignal.any([to.signal, stalled.signal])
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(new Error('Nothing came for too long.')), options.stall ?? STALL)
  }
  alive()
  try {
    const { model } = options
    if (isModel(model)) return await heardFrom(model, asked, { ...to, signal }, alive)
    return await wired(session, { ...asked, model }, options, { ...to, signal }, alive)
  } catch (error) {
    if (isSutureError(error, 'bad-option')) throw error
    return { error: error instanceof Error ? error : new Error(String(error)), tooLong: false }
  } finally {
    clearTimeout(timer)
  }
}

async function wired(
  session: Session,
  asked: Asked,
  options: TurnOptions,
  to: Listener,
  alive: () => void,
): Promise<Heard> {
  const { provider, service } = session.wiring
  const wire = wireOf(service.dialect)
  if (!wire || options.url === undefined) throw noWay(service.dialect.id)
  let reply: Reply | undefined
  let tooLong = false
  const own: Provider = { id: provider, hosts: [], serves: [service] }
  const send = guard({
    ...options.guard,
    ...(options.fetch ? { fetch: options.fetch } : {}),
    provider: own,
    dialect: service.dialect.id,
    model: asked.model,
    memory: options.guard?.memory ?? memoryOf(session),
    onReply: (one) => {
      reply = one
    },
    onEvent(event) {
      if (event.type === 'refused') tooLong = event.kind === 'size'
      if (event.type === 'recovered') tooLong = false
      to.event(event)
      options.guard?.onEvent?.(event)
    },
  })
  const response = await send(addressOf(options.url, asked.model, service.dialect), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers, ...options.headers },
    body: JSON.stringify({ ...wire.body(asked), ...options.body }),
    signal: to.signal,
  })
  if (!response.ok) return { error: refused(response.status, await response.text(), provider), tooLong }
  try {
    await listened(response, (data, event) => {
      alive()
      for (const delta of deltasIn(wire, data, event)) to.delta(delta)
    })
  } catch (error) {
    // A stream that breaks off is told by its reply: as far as it came.
    if (!reply) throw error
  }
  return reply
    ? { reply, tooLong: tooLong && !reply.complete }
    : { error: new Error('The answer cannot be read.'), tooLong }
}

async function listened(response: Response, frame: (data: string, event: string | undefined) => void): Promise<void> {
  const framing = framingOf(response.headers.get('content-type'))
  if (!framing || !response.body) return void (await response.arrayBuffer())
  const frames = splitter(framing)
  for await (const chunk of response.body) for (const { data, event } of frames.push(chunk)) frame(data, event)
}

function memoryOf(session: Session): Memory {
  const memory = memories.get(session) ?? settle({}).memory
  memories.set(session, memory)
  return memory
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
