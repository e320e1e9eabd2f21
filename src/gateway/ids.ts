/**
 * Ids of sessions: what may be one, and one that is made from what the agent sends or from the conversation itself.
 */
import { createHash } from 'node:crypto'
import { agentIdIn } from './agent-ids.ts'
import type { Parsed } from './answered.ts'
import { essenceOf } from './match.ts'
import { Problem } from './problem.ts'

const ID = /^[A-Za-z0-9][\w.:~-]{0,127}$/
/** An id that can be used as it is, with room for the name of a branch. */
const PLAIN = /^[\w.:-]{1,64}$/
/** Letters that the name of a branch adds at most. */
const BRANCH = 32

/** The agent's own id of the conversation where it sends one, else an id made from how the conversation begins. */
export function derivedId(guarded: Parsed, list: readonly unknown[]): string {
  const { incoming, parsed } = guarded
  const sent = agentIdIn(incoming.headers, parsed)
  if (!sent) return `auto-${digest(beginningOf(guarded, list))}`
  if (sent.shared) return `auto-${digest([sent.id, ...beginningOf(guarded, list)])}`
  return PLAIN.test(sent.id) ? `auto-${sent.id}` : `auto-${digest([sent.id])}`
}

/** Its system prompt and all up to the first thing the user says. */
function beginningOf({ endpoint, parsed: body }: Parsed, list: readonly unknown[]): readonly unknown[] {
  const { dialect } = endpoint.service
  const first = list.findIndex((message) => dialect.read(message, 0, []) === 'user')
  const begun = list.slice(0, first + 1).map((message) => essenceOf(message, dialect).essence)
  const system = body['system'] ?? body['instructions'] ?? body['systemInstruction'] ?? null
  return [dialect.id, system, begun]
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

function badId(): Problem {
  return new Problem(
    'bad-session',
    'A session id has up to 128 letters, digits, dots, colons, dashes and underscores, and begins with a letter or digit.',
  )
}
