/**
 * Session ids: which are valid, and how one is derived from what the agent sends or from the conversation.
 */
import { createHash } from 'node:crypto'
import { Transcript } from '../../core/index.ts'
import { GatewayError } from '../gateway-error.ts'
import { agentIdIn } from './agent-ids.ts'
import { contentAt, ownContentAt } from './message-content.ts'
import type { ParsedRequest } from './store-reply.ts'

const ID = /^[A-Za-z0-9][\w.:~-]{0,127}$/
/** A valid id, with room for the suffix of a branch. */
const PLAIN = /^[\w.:-]{1,64}$/
/** Maximum length of the suffix of a branch. */
const BRANCH = 32

/** The agent's own id of the conversation, or an id derived from the beginning of the conversation. */
export function derivedId(guarded: ParsedRequest, list: readonly unknown[]): string {
  const { incoming, parsed } = guarded
  const sent = agentIdIn(incoming.headers, parsed)
  if (!sent) return `auto-${digest(beginningOf(guarded, list))}`
  if (sent.shared) return `auto-${digest([sent.id, ...beginningOf(guarded, list)])}`
  return PLAIN.test(sent.id) ? `auto-${sent.id}` : `auto-${digest([sent.id])}`
}

/**
 * What the user wrote before the first response. The system prompt and what agents put around prompts are not part of it: a date, the
 * state of a repository or a list of files is another one when the conversation is resumed.
 */
function beginningOf({ endpoint }: ParsedRequest, list: readonly unknown[]): readonly unknown[] {
  const { dialect } = endpoint.service
  const transcript = new Transcript(list, dialect)
  const response = list.findIndex((_, i) => transcript.isAssistant(i))
  const prompts = list.slice(0, response < 0 ? list.length : response).map((_, i) => i)
  const own = prompts.map((i) => ownContentAt(transcript, i)).filter((content) => content !== '')
  const whole = () => prompts.map((i) => contentAt(transcript, i).content)
  return [dialect.id, own.length > 0 ? own : whole()]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24)
}

/** Throws if the id is not valid. */
export function checkedId(id: string): string {
  if (ID.test(id)) return id
  throw badId()
}

/** The same for an id that the gateway itself has issued: the id of a branch is longer than that of its session. */
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
