/** The session API under `/suture/v1/sessions`: what a caller can do with its own sessions. */
import { isSutureError, jsonText, wordOf } from '../core/index.ts'
import { compactionsOf } from '../session/compact-view.ts'
import type { Session } from '../session/index.ts'
import { GatewayError } from './gateway-error.ts'
import type { Caller, MemoryHold } from './protection/index.ts'
import { checkedBranchId, checkedId, type SessionInfo, type Sessions } from './recording/index.ts'
import type { Outgoing } from './types.ts'
import { summarized, type Viewer } from './viewer.ts'

export interface ApiRequest {
  readonly method: string
  /** The path after `/suture/v1/sessions`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly caller: Caller
  /** The memory that the request and its response occupy. */
  readonly hold: MemoryHold
  body(): Promise<Uint8Array>
  /** Adds counts to the list of sessions. */
  readonly viewer?: Viewer | undefined
}

type ApiContext = Omit<ApiRequest, 'path'> & {
  readonly id: string
  readonly scope: string
  readonly sessions: Sessions
  readonly compactor: Compactor | undefined
}
type ApiAction = (session: Session, ask: ApiContext, about: SessionInfo) => Promise<unknown>

/** What a session in append mode is about to be sent with. */
export interface NextRequest {
  /** The request as it came. Its list has only new messages; system prompt and tools count. */
  readonly body: Readonly<Record<string, unknown>>
  /** Tokens that the provider reported for the previous request, if known (input includes cached tokens). */
  readonly usage?: { readonly input: number; readonly output?: number }
  /** Milliseconds: now, and when the session was last sent. Without them a cache counts as warm. */
  readonly now?: number
  readonly lastRequestAt?: number
  readonly signal?: AbortSignal
}

/** What a compaction through the session API did. */
export interface CompactionOutcome {
  /** A record was written: read `session.history()` again. */
  readonly changesAnything: boolean
  /** Codes and sentences without content, for the log line. */
  readonly why: readonly { readonly code: string; readonly message: string }[]
  /** Counts only. */
  readonly receipt?: Readonly<Record<string, unknown>>
  readonly position?: number
}

/** Makes a history shorter; it may ask a model. `plan` returns what `compact` would do. */
export interface Compactor {
  plan(session: Session, about: SessionInfo, options: Readonly<Record<string, unknown>>): Promise<unknown>
  compact(session: Session, about: SessionInfo, options: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Called before a turn in append mode: compacts if that is due. Never rejects: a failure is only reported. */
  shorten?(session: Session, about: SessionInfo, next: NextRequest): Promise<CompactionOutcome>
}

const TAKEN = 'A session with this id exists. Choose another id, or delete that session first.'

/** By method and the path after the id. */
export const ACTIONS: Readonly<Record<string, ApiAction>> = {
  'GET ': (session, ask, about) => page(session, ask, about),
  'DELETE ': async (session, { sessions, scope, id }) => {
    // Branches belong to the conversation. A fork under another id is one of its own and keeps what it shares.
    for (const { id: branch } of await sessions.branchesOf(scope, id)) {
      if (!branch.startsWith(`${id}~`)) continue
      await sessions.store.purge(sessions.fullId(scope, branch))
      sessions.forget(scope, branch)
    }
    await session.forget()
    sessions.forget(scope, id)
    return { deleted: true }
  },
  'GET history': async (session) => ({ messages: await session.history() }),
  'GET revisions': async (session) => ({ messages: await session.entries({ revisions: true }) }),
  'GET branches': async (_session, { sessions, scope, id }) => ({ branches: await sessions.branchesOf(scope, id) }),
  'GET turns': async (session) => ({ turns: await session.turns() }),
  'GET export': (session, { query }) => exported(session, query),
  'GET compactions': async (session) => ({ compactions: await compactionsOf(session) }),
  'GET verify': (session) => session.verify(),
  'POST revert': async (session, ask) => {
    await session.revert(numberIn(await bodyOf(ask), 'turn'))
    return { head: session.head }
  },
  'POST undo': async (session) => {
    await session.undo({ by: 'gateway' })
    return { head: session.head }
  },
  'POST fork': async (session, ask) => {
    const body = await bodyOf(ask)
    const id = checkedId(wordOf(body['id'] ?? ''))
    const turns = await session.turns()
    const turn = body['turn'] === undefined ? turns.length : numberIn(body, 'turn')
    const fork = await session.fork(turn, ask.sessions.fullId(ask.scope, id)).catch((error: unknown) => {
      throw isSutureError(error, 'conflict') ? new GatewayError('conflict', TAKEN) : error
    })
    await fork.mark('note', { gateway: (await ask.sessions.known(ask.scope, ask.id)).about })
    return { id, turns: turn }
  },
  'POST plan': async (session, ask, about) => compactorOf(ask).plan(session, about, await bodyOf(ask)),
  'POST compact': async (session, ask, about) => compactorOf(ask).compact(session, about, await bodyOf(ask)),
}

export async function sessionApi(
  sessions: Sessions,
  request: ApiRequest,
  compactor: Compactor | undefined,
): Promise<Outgoing> {
  const { path, caller, hold } = request
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [, name = '', deed = '', more] = path.split('/')
  if (name === '') return method === 'GET' ? answer(await listed(sessions, request), hold) : wrongMethod()
  const id = checkedBranchId(plain(name))
  const done = ACTIONS[`${method} ${deed}`]
  if (!done || more !== undefined) {
    const exists = more === undefined && Object.keys(ACTIONS).some((one) => one.endsWith(` ${deed}`))
    return exists ? wrongMethod() : nothing()
  }
  const scope = caller.scope()
  const { session, about } = await sessions.known(scope, id)
  const result = await done(session, { ...request, id, scope, sessions, compactor }, about)
  return isStream(result) ? streamed(result) : answer(result, hold)
}

async function listed(sessions: Sessions, { caller, query, viewer }: ApiRequest): Promise<unknown> {
  const limit = Math.min(1000, countIn(query, 'limit', 100))
  const after = query.get('after') ?? ''
  const ids = await sessions.conversations(caller.scope(), after === '' ? after : checkedBranchId(after), limit)
  const isDetailed = query.get('details') === 'true' && viewer
  const list = isDetailed ? await summarized(sessions, caller, ids, viewer) : ids.map((id) => ({ id }))
  return { sessions: list, ...(ids.length === limit ? { after: ids.at(-1) } : {}) }
}

/** Whole turns; by default the newest first. */
async function page(session: Session, { id, query }: ApiContext, about: SessionInfo): Promise<unknown> {
  const size = countIn(query, 'size', 50)
  const from = query.get('from') ?? 'newest'
  if (from !== 'oldest' && from !== 'newest') throw new GatewayError('bad-request', '"from" must be oldest or newest.')
  const cursor = query.get('cursor')
  const found = await session.page({ size, from, ...(cursor === null ? {} : { cursor }) })
  const { open, head } = session
  return { id, ...about, head, open, ...found }
}

async function exported(session: Session, query: URLSearchParams): Promise<unknown> {
  const last = query.get('last')
  if (last !== null && !/^\d{1,9}$/.test(last))
    throw new GatewayError('bad-request', '"last" must be a number of turns from 0.')
  if (last !== null) return { messages: await session.exportLast(Number(last)) }
  return session.records()
}

async function bodyOf({ body }: ApiContext): Promise<Record<string, unknown>> {
  const bytes = await body()
  if (bytes.length === 0) return {}
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error is below.
  }
  throw new GatewayError('bad-request', 'The body must be a JSON object.')
}

function numberIn(body: Readonly<Record<string, unknown>>, name: string): number {
  const value = body[name]
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  throw new GatewayError('bad-request', `The body must have "${name}", a number from 1.`)
}

/** A number in the query. A wrong value is an error, since ignoring it would return something else than requested. */
function countIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new GatewayError('bad-request', `"${name}" must be a number from 1.`)
}

function compactorOf({ compactor }: ApiContext): Compactor {
  if (compactor) return compactor
  throw new GatewayError(
    'not-configured',
    'This gateway was started without a compactor. Pass `compactor` to gateway(), or use `suture serve`.',
  )
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return ''
  }
}

function answer(value: unknown, hold: MemoryHold): Outgoing {
  const body = Buffer.from(jsonText(value)!)
  hold.take(body.length)
  return { status: 200, headers: [...JSON_TYPE], body }
}

const JSON_TYPE = ['content-type', 'application/json'] as const

/** The records of a log as one JSON object, written one by one: a long log need not fit into memory. */
function streamed(iterable: AsyncIterable<unknown>): Outgoing {
  const records = iterable[Symbol.asyncIterator]()
  let separator = '{"records":['
  let ended = false
  const read = async (): Promise<Uint8Array | undefined> => {
    if (ended) return undefined
    const { value, done } = await records.next()
    ended = done === true
    const piece = Buffer.from(ended ? `${separator === ',' ? '' : separator}]}` : `${separator}${jsonText(value)}`)
    separator = ','
    return piece
  }
  return { status: 200, headers: [...JSON_TYPE], body: { read, cancel: () => void records.return?.() } }
}

function wrongMethod(): never {
  throw new GatewayError('wrong-method', 'Method not allowed for this path. /suture/openapi.json lists the methods.')
}

function nothing(): never {
  throw new GatewayError('no-such-path', 'No such path. /suture/openapi.json lists them.')
}
