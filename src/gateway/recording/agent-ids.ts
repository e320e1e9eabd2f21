/**
 * Session ids that agents send with their requests, in headers or in the body.
 * Claude Code: `x-claude-code-session-id`, `metadata.user_id`. Codex: `session-id` (before: `session_id`, `conversation_id`), `prompt_cache_key`.
 * opencode: `x-session-affinity`, `x-session-id`, `x-opencode-session`. pi: `session_id`, `x-session-id`. OpenRouter's clients: `session_id`.
 */
import { isObject, type JsonObject } from '../../core/index.ts'
import type { HeaderList } from '../http/index.ts'

/** The agent's id of its conversation. `shared`: several conversations may have the same id. */
export interface AgentId {
  readonly id: string
  readonly shared: boolean
}

const HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'conversation_id',
  'x-opencode-session',
  'x-session-affinity',
  'x-session-id',
  'x-amp-thread-id',
] as const

const LONGEST = 256
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CLAUDE_CODE = /_session_([0-9a-f-]{36})$/i

export function agentIdIn(headers: HeaderList, body: JsonObject): AgentId | undefined {
  for (const name of HEADERS) {
    const id = headers.get(name)
    if (isId(id)) return { id, shared: false }
  }
  const { session_id: session, prompt_cache_key: key, metadata } = body
  const own = isId(session) ? session : isObject(metadata) ? inMetadata(metadata) : undefined
  if (own !== undefined) return { id: own, shared: false }
  // Applications may use one cache key for all of their conversations; agents give each its own UUID.
  return isId(key) ? { id: key, shared: !UUID.test(key) } : undefined
}

function inMetadata({ session_id: session, user_id: user }: JsonObject): string | undefined {
  if (isId(session)) return session
  if (!isId(user)) return undefined
  const found = CLAUDE_CODE.exec(user)?.[1]
  if (found !== undefined || !user.startsWith('{')) return found
  try {
    const { session_id: id } = JSON.parse(user) as { session_id?: unknown }
    return isId(id) ? id : undefined
  } catch {
    return undefined
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST
}
