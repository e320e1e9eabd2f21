/**
 * Anthropic's message threads (beta `message-threads-2026-08-12`): the server holds a conversation under the id of its
 * last reply, and a request that continues it has the new messages alone. The types are those of @anthropic-ai/sdk 1.8.
 */
import type { Verdict } from '../judge.ts'
import { asList, isObject, wordOf } from './json.ts'
import type { JsonObject } from './types.ts'

export interface Threads {
  /** The body with the messages that are held, or the rejection of its `thread`. */
  recall(body: JsonObject, headers: Readonly<Record<string, string>>): JsonObject | Verdict
  keep(body: JsonObject, reply: JsonObject): void
}

const BETA = 'message-threads-2026-08-12'
/** Fields that belong to the request which creates a thread. */
const HELD = ['system', 'tools']

export function createThreads(size: number): Threads {
  const held = new Map<string, JsonObject>()
  return {
    recall(body, headers) {
      const { thread, ...rest } = body
      if (thread === undefined || thread === null) return body
      if (!(headers['anthropic-beta'] ?? '').includes(BETA))
        return rejected(400, 'thread: Extra inputs are not permitted')
      if (!isObject(thread) || (thread['type'] !== 'create' && thread['type'] !== 'continue'))
        return rejected(400, 'thread.type: Input should be "create" or "continue"')
      if (thread['type'] === 'create') return rest
      const before = held.get(wordOf(thread['previous_message_id']))
      if (!before) return rejected(404, 'The thread was not found or has expired.', { error_code: 'thread_not_found' })
      return { ...before, ...rest, messages: [...asList(before['messages']), ...asList(body['messages'])] }
    },
    keep(body, reply) {
      const kept = HELD.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]] as const]))
      const answer = { role: 'assistant', content: reply['content'] }
      held.set(wordOf(reply['id']), { ...Object.fromEntries(kept), messages: [...asList(body['messages']), answer] })
      for (const id of held.keys()) {
        if (held.size <= size) return
        held.delete(id)
      }
    },
  }
}

function rejected(status: number, message: string, details: JsonObject | null = null): Verdict {
  const type = status === 404 ? 'not_found_error' : 'invalid_request_error'
  return {
    accepted: false,
    rule: 'thread',
    status,
    message,
    body: { type: 'error', error: { details, type, message } },
  }
}
