/**
 * Ids of sessions: what may be one, and one that is made from what the agent sends or from the conversation itself.
 */
import { createHash } from 'node:crypto'
import { Transcript } from '../core/index.ts'
import { instructionsIn } from '../guard/transport.ts'
import { agentIdIn } from './agent-ids.ts'
import { GatewayError } from './gateway-error.ts'
import { contentAt } from './match-history.ts'
import type { ParsedRequest } from './store-reply.ts'

const ID = /^[A-Za-z0-9][\w.:~-]{0,127}$/
/** An id that can be used as it is, with room for the name of a branch. */
const PLAIN = /^[\w.:-]{1,64}$/
/** Letters that the name of a branch adds at most. */
const BRANCH = 32

/** The agent's own id of the conversation where it sends one, else an id made from how the conversation begins. */
export function derivedId(guarded: ParsedRequest, list: readonly unknown[]): string {
  const { incoming, parsed } = guarded
  const sent = agentIdIn(incoming.headers, parsed)
  if (!sent) return `auto-${digest(beginningOf(guarded, list))}`
  if (sent.shared) return `auto-${digest([sent.id, ...beginningOf(guarded, list)])}`
  return PLAIN.test(sent.id) ? `auto-${sent.id}` : `auto-${digest([sent.id])}`
}

/** Its system prompt and all up to the first thing the user says. */
function beginningOf({ endpoint, parsed: body }: ParsedRequest, list: readonly unknown[]): readonly unknown[] {
  const { dialect } = endpoint.service
  const transcript = new Transcript(list, dialect)
  const first = list.findIndex((_, i) => transcript.role(i) === 'user')
  const begun = list.slice(0, first + 1).map((_, i) => contentAt(transcript, i).content)
  return [dialect.id, instructionsIn(body), begun]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24)
}

/** Throws where it cannot be one. */
export function checkedId(id: string): string {
  if (ID.test(id)) return id
  throw badId()
}

/** The same for an id that the gateway gave out itself: that of a branch is longer than its session's. */
export function checkedBranchId(id: string): string {
  if (id.length <= 128 + BRANCH && ID.test(id.slice(0, 128)) && /^[\w.:~-]*$/.test(id.slice(128))) return id
  throw badId()
}

function badId(): GatewayError {
  return new GatewayError(
    'bad-session',
    'A session id has up to 128 letters, digits, dots, colons, dashes and underscores, and begins with a letter or digit.',
  )
}
