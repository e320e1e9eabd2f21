/** Session ids: which are valid, and how one is derived from what the agent sends or from the conversation. */
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
 * The first message with words of the user. The system prompt and what agents put around prompts are not part of it: a
 * date, the state of a repository or a list of files is another one when the conversation is resumed.
 */
function beginningOf({ endpoint }: ParsedRequest, list: readonly unknown[]): readonly unknown[] {
  const { dialect } = endpoint.service
  const transcript = new Transcript(list, dialect)
  const response = list.findIndex((_, i) => transcript.isAssistant(i))
  const prompts = response < 0 ? list : list.slice(0, response)
  const first = prompts.findIndex((_, i) => ownContentAt(transcript, i) !== '')
  if (first >= 0) return [dialect.id, ownContentAt(transcript, first)]
  // Without words of its own: all of the last message, since context comes before it.
  return [dialect.id, prompts.length === 0 ? '' : contentAt(transcript, prompts.length - 1).content]
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
