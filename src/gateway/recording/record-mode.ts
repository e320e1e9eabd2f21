/**
 * Record mode: the client sends its whole history, and the log follows it. The matching part of the log is found by the
 * last request, or by reading it. Recording never stops a request and never changes a response: what cannot be recorded
 * in time continues unrecorded, with a warning.
 */
import { randomUUID } from 'node:crypto'
import { SutureError } from '../../core/index.ts'
import { within } from '../../guard/transport.ts'
import { gatewayErrorOf } from '../gateway-error.ts'
import type { Outgoing } from '../types.ts'
import type { LogPosition, SentConversation } from './lines.ts'
import { sentHistory } from './prefix-cache.ts'
import { propose, ReplyWriter } from './reply-writer.ts'
import { derivedId } from './session-ids.ts'
import type { SessionRequest } from './session-request.ts'
import type { Sessions } from './sessions.ts'
import { modelIn, type ParsedRequest, sendAndStore, unrecorded } from './store-reply.ts'
import { settingsOf } from './turn-settings.ts'
import { rawIn } from './verbatim-messages.ts'

export async function handleRecord(
  guarded: ParsedRequest,
  wanted: SessionRequest,
  sessions: Sessions,
  list: readonly unknown[],
): Promise<Outgoing> {
  const { log } = guarded
  log.mode = 'record'
  let writer: ReplyWriter
  try {
    writer = await inTime(begin(guarded, wanted, sessions, list), sessions.deadline)
  } catch (error) {
    // The client has its history and sends it again: what is not recorded now is recorded with the next request.
    const { code } = gatewayErrorOf(error)
    log.wrote('failed')
    log.failed('session', code)
    return unrecorded(guarded, code)
  }
  return sendAndStore(guarded, writer, false)
}

/** Finds where the history continues in the log, and proposes the new messages. */
async function begin(
  guarded: ParsedRequest,
  wanted: SessionRequest,
  sessions: Sessions,
  list: readonly unknown[],
): Promise<ReplyWriter> {
  const op = randomUUID()
  const id = wanted.id === 'auto' ? derivedId(guarded, list) : wanted.id
  // The provider stores the rest of such a conversation: the request has only the new messages.
  const { previousKey } = guarded.endpoint.service.dialect
  const continued = previousKey !== undefined && guarded.parsed[previousKey] !== undefined
  const { caller, endpoint, body, parsed } = guarded
  const sent = continued ? undefined : sentHistory(body, parsed, endpoint.service.dialect.key)
  const settings = settingsOf(parsed)
  const given = { scope: caller.scope(), id, endpoint, list, model: modelIn(guarded), settings, sent }
  const place = continued ? await endOf(given, sessions) : await sessions.lines.place(given)
  const proposed = await propose(place, rawIn(guarded, place.rest), op)
  const named = { id, ...(place.id === id ? {} : { branch: place.id }) }
  const writing = { ...named, place, op, settings, deadline: sessions.deadline }
  if (continued) return new ReplyWriter(writing)
  const again = async () => {
    const now = await sessions.lines.place({ ...given, sent: undefined, isLate: true })
    return { ...now, rest: rawIn(guarded, now.rest) }
  }
  const alone = place.rest.length === 0 || proposed[0] === place.head + 1
  const at = alone ? { at: place.head + place.rest.length } : {}
  const writer = new ReplyWriter({ ...writing, again, positions: proposed, ...at })
  writer.stayed = (stored) => {
    place.stored?.(proposed, stored)
    sessions.lines.remember(given, { id: place.id, head: stored.head }, stored.messages)
  }
  return writer
}

/** A prompt that is stored too late is marked as rejected: the request has continued unrecorded. */
function inTime(begun: Promise<ReplyWriter>, deadline: number): Promise<ReplyWriter> {
  if (deadline === 0) return begun
  return within(deadline, begun, () => {
    begun.then((writer) => writer.write(0)).catch(() => {})
    throw new SutureError('store-failed', `The history was not recorded within ${deadline} ms.`)
  })
}

/** All messages are new, at the end of the log. */
async function endOf({ scope, id, endpoint, list, model }: SentConversation, sessions: Sessions): Promise<LogPosition> {
  const session = await sessions.open(scope, id, endpoint, model)
  return { id, session, rest: list, head: session.head }
}
