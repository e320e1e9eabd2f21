/**
 * Append mode: the client sends only new messages, and the log is the history. The history is compacted if that is due,
 * repaired and sent.
 */
import { randomUUID } from 'node:crypto'
import { type Dialect, type Reply, Transcript } from '../../core/index.ts'
import type { Session, View } from '../../session/index.ts'
import type { Compactor } from '../api.ts'
import { GatewayError } from '../gateway-error.ts'
import { realSignal } from '../http/index.ts'
import type { Outgoing } from '../types.ts'
import { ReplyWriter } from './reply-writer.ts'
import { derivedId } from './session-ids.ts'
import type { SessionRequest } from './session-request.ts'
import { infoOf, type LastSent, type Sessions } from './sessions.ts'
import { modelIn, type ParsedRequest, sendAndStore, withHeaders } from './store-reply.ts'
import { rawIn, withHistory } from './verbatim-messages.ts'

export async function handleAppend(
  guarded: ParsedRequest,
  wanted: SessionRequest,
  { sessions, compactor }: { readonly sessions: Sessions; readonly compactor: Compactor | undefined },
  list: readonly unknown[],
): Promise<Outgoing> {
  const { log, caller, endpoint, incoming } = guarded
  log.mode = 'append'
  const id = wanted.id === 'auto' ? derivedId(guarded, list) : wanted.id
  const given = incoming.headers.get('suture-operation')
  const op = given ?? randomUUID()
  const scope = caller.scope()
  const open = () => sessions.open(scope, id, endpoint, modelIn(guarded))
  const turn = await entered(await open())
  try {
    // Whether an operation is still open is known from opening the session.
    const session = await (given === undefined ? open() : sessions.fresh(scope, id, endpoint, modelIn(guarded)))
    await compactIfDue(session, guarded, sessions, compactor)
    const proposal = { proposed: true, operationId: op, expectedHead: 'any' } as const
    const { again } = await session.append(rawIn(guarded, list), proposal)
    if (again && !session.found.proposed.includes(op)) throw doneBefore()
    const view = await session.view({ proposedBy: op })
    const inserted = insertedIn(view, list, session.wiring.service.dialect)
    log.note('inserted', inserted)
    const { bytes, parsed } = withHistory(guarded, view)
    guarded.hold.take(bytes.length)
    const plain = withHeaders(incoming, (name) => name === 'content-encoding')
    const whole = { ...guarded, incoming: plain, body: bytes, raw: bytes, parsed }
    const place = { id, session, rest: list, head: session.head }
    const writer = new ReplyWriter({ id, place, op, named: given !== undefined })
    writer.stayed = () => sessions.wasSent(session.id, usageIn(writer.reply))
    const out = await sendAndStore(whole, writer, true, turn)
    out.headers.push('suture-inserted', insertedHeader(inserted))
    return out
  } catch (error) {
    turn()
    throw error
  }
}

/** What the client did not send: stored messages, and synthetic results for calls that it did not answer. */
interface Inserted {
  readonly stored: number
  readonly results: number
}

/** `own`: the messages that the client sent. Its own calls may need results, too. */
function insertedIn({ base, source, history }: View, own: readonly unknown[], dialect: Dialect): Inserted {
  const rows = new Set<unknown>(base)
  const stored = source.filter((one) => rows.has(one)).map(({ message }) => message)
  const results = (messages: readonly unknown[]) => new Transcript(messages, dialect).results.length
  return { stored: stored.length, results: Math.max(0, results(history) - results(stored) - results(own)) }
}

/** In the form of `suture-findings`. */
function insertedHeader({ stored, results }: Inserted): string {
  const parts = [`stored;n=${stored}`, ...(results > 0 ? [`tool-result;n=${results}`] : [])]
  return parts.join(', ')
}

/** The tokens that the provider reported, if it did. */
function usageIn(reply: Reply | undefined): LastSent['usage'] {
  const { input, output } = reply?.usage ?? {}
  if (input === undefined) return undefined
  return { input, ...(output === undefined ? {} : { output }) }
}

/** Compacts the session if that is due; the new messages are not in it yet. */
async function compactIfDue(
  session: Session,
  guarded: ParsedRequest,
  sessions: Sessions,
  compactor: Compactor | undefined,
): Promise<void> {
  if (!compactor?.shorten) return
  const { endpoint, parsed: body, log, incoming } = guarded
  const signal = realSignal(incoming.signal)
  const { at, usage } = sessions.lastSent(session.id) ?? {}
  const next = {
    body,
    now: Date.now(),
    ...(usage ? { usage } : {}),
    ...(at === undefined ? {} : { lastRequestAt: at }),
    ...(signal ? { signal } : {}),
  }
  const { changesAnything, receipt } = await compactor.shorten(session, infoOf(endpoint, modelIn(guarded)), next)
  if (changesAnything) log.note('compacted', receipt ?? true)
}

function doneBefore(): GatewayError {
  return new GatewayError(
    'conflict',
    'This operation was done before. Read the session, or send another suture-operation.',
  )
}

/** Waits for the previous turn of the session. Call the returned function to end this turn. */
function entered(session: Session): Promise<() => void> {
  return new Promise((resolve, reject) => {
    session.inTurn(() => new Promise<void>((done) => resolve(done))).catch(reject)
  })
}
