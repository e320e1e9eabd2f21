/**
 * A request that belongs to a session. Recorded: the client sends all of its history, and the log follows. Kept: it sends only what is new, and the
 * log is the history. In both the prompt is logged before it is sent, and joins the conversation with the answer.
 */
import { randomUUID } from 'node:crypto'
import { modeOf, type Settings, type Source } from '../guard/core.ts'
import type { Session } from '../session/index.ts'
import { type Guarded, parsedOf, throughGuard } from './pass.ts'
import { Problem, problemOf } from './problem.ts'
import { checkedId, derivedId, type Place, type Sessions } from './sessions.ts'
import type { Incoming, Outgoing } from './types.ts'
import { Writer } from './writer.ts'

/** What a request says of its session; undefined: it has none. */
export interface Wish {
  /** `auto`: made from how the conversation begins. */
  readonly id: string
  readonly kept: boolean
}

export function wishOf({ incoming }: Guarded, derive: boolean): Wish | undefined {
  const id = incoming.headers.get('suture-session') ?? (derive ? 'auto' : undefined)
  const mode = incoming.headers.get('suture-mode')?.toLowerCase()
  if (mode !== undefined && mode !== 'append' && mode !== 'record' && mode !== 'pass')
    throw new Problem('bad-session', 'suture-mode is append, record or pass.')
  if (mode === 'pass') return undefined
  if (id === undefined) {
    if (mode === undefined) return undefined
    throw new Problem('bad-session', 'Name the session: give its id as the header suture-session.')
  }
  return { id: checkedId(id), kept: mode === 'append' }
}

export async function converse(guarded: Guarded, wish: Wish, sessions: Sessions): Promise<Outgoing> {
  const { dialect } = guarded.endpoint.service
  const body = guarded.parsed ?? parsedOf(guarded.body)
  const list = body && listOf(body[dialect.key])
  if (wish.kept) {
    if (!body || !list || guarded.endpoint.opaque)
      throw new Problem('bad-session', `Nothing to append: the body has no ${dialect.key} that can be kept.`)
    return keep({ ...guarded, parsed: body }, wish, sessions, list)
  }
  if (!body || !list || guarded.endpoint.opaque) return throughGuard(guarded)
  return record({ ...guarded, parsed: body }, wish, sessions, list)
}

type Parsed = Guarded & { readonly parsed: Record<string, unknown> }

async function record(guarded: Parsed, wish: Wish, sessions: Sessions, list: readonly unknown[]): Promise<Outgoing> {
  const { visit, caller, endpoint, parsed } = guarded
  visit.mode = 'record'
  const op = randomUUID()
  let place: Place
  try {
    const id = wish.id === 'auto' ? derivedId(parsed, list, endpoint) : wish.id
    place = await placeOf(guarded, sessions, id, list)
    await place.session.append(place.rest, { proposed: true, operationId: op, expectedHead: 'any' })
  } catch (error) {
    if (error instanceof Problem) throw error
    // The client has its history and will send it again: what is not recorded now is recorded then.
    visit.failed('session', problemOf(error).code)
    return throughGuard(guarded)
  }
  const { id, session, rest } = place
  if (parsed['previous_response_id'] !== undefined) return carried(guarded, id, new Writer({ session, op }), false)
  const again = () => sessions.place(caller.scope(), id, endpoint, list, modelIn(guarded))
  return carried(guarded, id, new Writer({ session, op, again, proposed: rest.length > 0 }), false)
}

function placeOf(guarded: Parsed, sessions: Sessions, id: string, list: readonly unknown[]): Promise<Place> {
  const { caller, endpoint, parsed } = guarded
  const model = modelIn(guarded)
  // The provider holds the rest of the conversation: what comes is what is new.
  if (parsed['previous_response_id'] === undefined) return sessions.place(caller.scope(), id, endpoint, list, model)
  return sessions
    .open(caller.scope(), id, endpoint, model)
    .then((session) => ({ id, session, rest: list, forked: false }))
}

async function keep(guarded: Parsed, wish: Wish, sessions: Sessions, list: readonly unknown[]): Promise<Outgoing> {
  const { visit, caller, endpoint, incoming, parsed } = guarded
  visit.mode = 'append'
  const id = wish.id === 'auto' ? derivedId(parsed, list, endpoint) : wish.id
  const open = () => sessions.open(caller.scope(), id, endpoint, modelIn(guarded))
  const given = incoming.headers.get('suture-operation')
  const op = given ?? randomUUID()
  const turn = await entered(await open())
  try {
    const session = await open()
    const { again } = await session.append(list, { proposed: true, operationId: op, expectedHead: 'any' })
    if (again && !session.found.proposed.includes(op)) throw doneBefore()
    const body = { ...parsed, [endpoint.service.dialect.key]: await session.history({ proposed: op }) }
    const bytes = Buffer.from(JSON.stringify(body))
    const packed = (name: string) => name === 'content-encoding'
    const plain = withHeaders(incoming, packed)
    const whole = { ...guarded, incoming: plain, body: bytes, raw: bytes, parsed: body }
    return await carried(whole, id, new Writer({ session, op, named: given !== undefined }), true, turn)
  } catch (error) {
    turn()
    throw error
  }
}

function doneBefore(): Problem {
  return new Problem(
    'conflict',
    'This operation was done before. Read the session, or ask with another suture-operation.',
  )
}

/** Waits for the turn before this one; what comes back ends this one. */
function entered(session: Session): Promise<() => void> {
  return new Promise((resolve, reject) => {
    session.inTurn(() => new Promise<void>((done) => resolve(done))).catch(reject)
  })
}

/** Through the guard, with the answer written before its end reaches the client. `must`: without that it is no answer. */
async function carried(
  guarded: Guarded,
  id: string,
  writer: Writer,
  must: boolean,
  turn = () => {},
): Promise<Outgoing> {
  const { visit, settings } = guarded
  const mode = modeOf(guarded.incoming.headers.get('suture'), settings)
  const reading: Settings = {
    ...settings,
    mode: 'recover',
    // Answers are read in this mode only; who did not ask for recoveries gets none.
    most: mode === 'recover' ? settings.most : 1,
    onReply: (reply) => {
      writer.reply = reply
    },
  }
  const write = async (status: number) => {
    try {
      await writer.write(status)
      visit.note('session', id)
    } catch (error) {
      visit.failed('session', problemOf(error).code)
      if (must) throw error
    } finally {
      turn()
    }
  }
  let out: Outgoing
  try {
    out = await throughGuard({ ...guarded, incoming: withMode(guarded) }, reading)
  } catch (error) {
    await write(0).catch(() => {})
    throw error
  }
  out.headers.push('suture-session', id)
  const { body, status } = out
  if (body === undefined || body instanceof Uint8Array || status !== 200) {
    await write(status)
    return out
  }
  return { ...out, body: endingWith(body, () => write(status)) }
}

/** The request without some of its headers. */
function withHeaders({ method, target, headers, signal }: Incoming, drops: (name: string) => boolean): Incoming {
  // The body is here already.
  return { method, target, headers: headers.without(drops), signal, body: () => Promise.resolve(Buffer.alloc(0)) }
}

function withMode({ incoming }: Guarded): Guarded['incoming'] {
  return withHeaders(incoming, (name) => name === 'suture')
}

const LAST = /\[DONE\]|message_stop|response\.(completed|incomplete|failed)|finishReason|messageStop/

/** Holds back the piece that ends an answer until it is stored: who has seen the end can rely on it. */
function endingWith(source: Source, stored: () => Promise<void>): Source {
  let held: Uint8Array | undefined
  let ended = false
  return {
    async read() {
      while (!ended) {
        const piece = await source.read().catch(async (error: unknown) => {
          await stored().catch(() => {})
          throw error
        })
        if (!piece) {
          ended = true
          await stored()
          return held
        }
        const all: Uint8Array = held ? Buffer.concat([held, piece]) : piece
        held = LAST.test(Buffer.from(all.buffer, all.byteOffset, all.length).toString('latin1')) ? all : undefined
        if (!held) return all
      }
      return undefined
    },
    cancel(reason) {
      source.cancel(reason)
      stored().catch(() => {})
    },
  }
}

/** Responses take a plain text for a list of one. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  return Array.isArray(value) ? value : undefined
}

function modelIn({ endpoint, parsed }: Guarded): string | undefined {
  const model = endpoint.model ?? parsed?.['model']
  return typeof model === 'string' ? model : undefined
}
