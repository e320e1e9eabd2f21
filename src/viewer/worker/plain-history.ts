/**
 * Whether a file is certainly a plain history or a request body, and not a session file of an agent. In doubt the
 * answer is no: the formats of session files are then loaded, and decide.
 */
import { isObject, tryParseJson, wordOf } from '../../core/index.ts'
import { detect } from '../../dialects/detect.ts'

/** Names that agents give to files which contain a plain list. */
const AGENT_FILES = /^(api_conversation_history|base_state|sessions|T-.*|.*\.messages)\.json$|[/\\]/
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function', 'model'])
const KEYS = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content', 'parts', 'refusal'])
/** Number of messages that are checked. */
const FIRST = 8

export function isPlainHistory(name: string, bytes: Uint8Array): boolean {
  if (!name.endsWith('.json') || AGENT_FILES.test(name)) return false
  const value = tryParseJson(new TextDecoder().decode(bytes))
  const list = Array.isArray(value) ? value : listOfRequest(value)
  return list !== undefined && list.length > 0 && list.slice(0, FIRST).every(isMessage) && detect(list) !== 'langchain'
}

/** Only a request names a model and no session. */
function listOfRequest(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value) || typeof value['model'] !== 'string') return undefined
  if (['id', 'sessionId', 'conversationId', 'agent', 'origin', 'chat'].some((key) => key in value)) return undefined
  const list = value['messages'] ?? value['contents']
  return Array.isArray(list) ? list : undefined
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !ROLES.has(wordOf(value['role']))) return false
  const { parts } = value
  const isTyped = Array.isArray(parts) && parts.some((part) => isObject(part) && 'type' in part)
  return !isTyped && Object.keys(value).every((key) => KEYS.has(key))
}
