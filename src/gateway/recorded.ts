/**
 * Recorded: the client sends all of its history, and the log follows it. What the log has is found by what was sent last, else by reading it.
 * Recording never stops a request and never changes an answer: what cannot be recorded in time goes on unrecorded, with a warning.
 */
import { randomUUID } from 'node:crypto'
import { SutureError } from '../core/index.ts'
import { answered, modelIn, type Parsed } from './answered.ts'
import type { Given, Place } from './branches.ts'
import type { Wish } from './conversation.ts'
import { within } from './deadline.ts'
import { derivedId } from './ids.ts'
import { problemOf } from './problem.ts'
import type { Sessions } from './sessions.ts'
import { rawIn } from './spelled.ts'
import { sentIn } from './trace.ts'
import type { Outgoing } from './types.ts'
import { unrecorded } from './unrecorded.ts'
import { Writer } from './writer.ts'

interface Begun {
  readonly id: string
  readonly writer: Writer
}

export async function record(
  guarded: Parsed,
  wish: Wish,
  sessions: Sessions,
  list: readonly unknown[],
): Promise<Outgoing> {
  const { visit } = guarded
  visit.mode = 'record'
  let begun: Begun
  try {
    begun = await inTime(begin(guarded, wish, sessions, list), sessions.deadline)
  } catch (error) {
    // The client has its history and will send it again: what is not recorded now is recorded then.
    const { code } = problemOf(error)
    visit.wrote('failed')
    visit.failed('session', code)
    return unrecorded(guarded, code)
  }
  return answered(guarded, begun.id, begun.writer, false)
}

/** Finds the place of the history in the log and proposes what is new. */
async function begin(guarded: Parsed, wish: Wish, sessions: Sessions, list: readonly unknown[]): Promise<Begun> {
  const op = randomUUID()
  const id = wish.id === 'auto' ? derivedId(guarded, list) : wish.id
  await sessions.adopt(guarded.caller, id)
  // The provider holds the rest of such a conversation: what comes is what is new.
  const continued = guarded.parsed['previous_response_id'] !== undefined
  const given = givenIn(guarded, id, list, continued)
  const place = continued ? await end(given, sessions) : await sessions.branches.place(given)
  const { session, rest, head } = place
  const { deadline } = sessions
  const proposed = await session.append(rawIn(guarded, rest), { proposed: true, operationId: op, expectedHead: 'any' })
  if (continued) return { id: place.id, writer: new Writer({ session, op, deadline }) }
  const alone = rest.length === 0 || proposed.positions[0] === head + 1
  const again = async () => {
    const now = await sessions.branches.place({ ...given, sent: undefined })
    return { ...now, rest: rawIn(guarded, now.rest) }
  }
  const at = alone ? { at: proposed.head } : {}
  const writer = new Writer({ session, op, again, deadline, proposed: rest.length > 0, ...at })
  writer.stayed = (last, said) => sessions.branches.remember(given, { id: place.id, head: last }, said)
  return { id: place.id, writer }
}

/** What is found too late is taken back: the request has gone on without it. */
function inTime(begun: Promise<Begun>, deadline: number): Promise<Begun> {
  if (deadline === 0) return begun
  return within(deadline, begun, () => {
    begun.then(({ writer }) => writer.write(0)).catch(() => {})
    return new SutureError('store-failed', `The history was not recorded within ${deadline} ms.`)
  })
}

function givenIn(guarded: Parsed, id: string, list: readonly unknown[], continued: boolean): Given {
  const { caller, endpoint, body, parsed } = guarded
  const sent = continued ? undefined : sentIn(body, parsed, endpoint.service.dialect.key)
  return { scope: caller.scope(), id, endpoint, list, model: modelIn(guarded), sent }
}

async function end({ scope, id, endpoint, list, model }: Given, sessions: Sessions): Promise<Place> {
  const session = await sessions.open(scope, id, endpoint, model)
  return { id, session, rest: list, head: session.head }
}
