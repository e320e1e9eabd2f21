/**
 * Session ids that agents send with their requests, in headers or in the body. Only names that an agent or a provider
 * documents, or that were recorded, are read: another header with "session" in its name may be the session of a login
 * or of a load balancer.
 */
import { isObject, type JsonObject, orUndefined } from '../../core/index.ts'
import type { HeaderList } from '../http/index.ts'

/** The agent's id of its conversation. `shared`: several conversations may have the same id. */
export interface AgentId {
  readonly id: string
  readonly shared: boolean
}

/** In order: what names the conversation comes before what only pins it to a server. */
const HEADERS = [
  'x-claude-code-session-id',
  // Codex; before: session_id, conversation_id. pi sends session_id, too.
  'session-id',
  'session_id',
  'conversation_id',
  'x-opencode-session',
  'x-kilo-session',
  'x-kilocode-taskid',
  'x-grok-session-id',
  'x-qwen-code-session-id',
  // GitHub Copilot CLI.
  'x-client-session-id',
  'x-amp-thread-id',
  'x-openwebui-chat-id',
  'x-coder-chat-id',
  // opencode and pi.
  'x-session-affinity',
  'x-session-id',
  // xAI's own header for its cache: the AI SDK writes the cache key of the application into it.
  'x-grok-conv-id',
] as const

/** These may be one for all conversations of an application, or of a login. */
const SHARED: ReadonlySet<string> = new Set(['x-client-session-id', 'x-grok-conv-id'])

const LONGEST = 256
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CLAUDE_CODE = /_session_([0-9a-f-]{36})$/i

export function agentIdIn(headers: HeaderList, body: JsonObject): AgentId | undefined {
  for (const name of HEADERS) {
    const id = headers.get(name)
    if (isId(id)) return { id, shared: SHARED.has(name) && !UUID.test(id) }
  }
  const { session_id: session, prompt_cache_key: key, metadata } = body
  const own = isId(session) ? session : isObject(metadata) ? inMetadata(metadata) : undefined
  if (own !== undefined) return { id: own, shared: false }
  // Applications may use one cache key for all of their conversations; agents give each its own UUID.
  return isId(key) ? { id: key, shared: !UUID.test(key) } : undefined
}

/** Claude Code: `user_id`, as text or JSON. Qwen Code: `sessionId`. */
function inMetadata({ session_id: session, sessionId, user_id: user }: JsonObject): string | undefined {
  if (isId(session)) return session
  if (isId(sessionId)) return sessionId
  if (!isId(user)) return undefined
  const found = CLAUDE_CODE.exec(user)?.[1]
  if (found !== undefined || !user.startsWith('{')) return found
  const id = orUndefined(() => (JSON.parse(user) as { session_id?: unknown }).session_id)
  return isId(id) ? id : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST
}
