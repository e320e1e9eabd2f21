/**
 * Recorded: the client sends all of its history, and the log follows it. What the log has is found by what was sent last, else by reading it.
 */
import { randomUUID } from 'node:crypto'
import { answered, modelIn, type Parsed } from './answered.ts'
import type { Wish } from './conversation.ts'
import { derivedId } from './ids.ts'
import { throughGuard } from './pass.ts'
import { Problem, problemOf } from './problem.ts'
import type { Given, Place, Sessions } from './sessions.ts'
import { sentIn } from './trace.ts'
import type { Outgoing } from './types.ts'
import { Writer } from './writer.ts'

export async function record(
  guarded: Parsed,
  wish: Wish,
  sessions: Sessions,
  list: readonly unknown[],
): Promise<Outgoing> {
  const { visit, endpoint, parsed } = guarded
  visit.mode = 'record'
  const op = randomUUID()
  const id = wish.id === 'auto' ? derivedId(parsed, list, endpoint) : wish.id
  // The provider holds the rest of such a conversation: what comes is what is new.
  const continued = parsed['previous_response_id'] !== undefined
  const given = givenIn(guarded, id, list, continued)
  let writer: Writer
  let place: Place
  try {
    place = continued ? await end(given, sessions) : await sessions.place(given)
    const { session, rest, head } = place
    const proposed = await session.append(rest, { proposed: true, operationId: op, expectedHead: 'any' })
    const alone = rest.length === 0 || proposed.positions[0] === head + 1
    const again = () => sessions.place({ ...given, sent: undefined })
    writer = continued
      ? new Writer({ session, op })
      : new Writer({ session, op, again, proposed: rest.length > 0, ...(alone ? { at: proposed.head } : {}) })
  } catch (error) {
    if (error instanceof Problem) throw error
    // The client has its history and will send it again: what is not recorded now is recorded then.
    visit.wrote('failed')
    visit.failed('session', problemOf(error).code)
    return throughGuard(guarded)
  }
  if (!continued) writer.stayed = (head, said) => sessions.remember(given, { id: place.id, head }, said)
  return answered(guarded, place.id, writer, false)
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
