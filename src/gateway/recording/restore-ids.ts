/**
 * Gives new messages of a client the call ids of the log. Some clients rename call ids between two requests or invent
 * their own; their results would answer no call of the log.
 */
import { type Dialect, type Part, Transcript, withValueAt } from '../../core/index.ts'

/** `ids`: the log's id for each id of the client, if it has one. The same list if nothing changes. */
export function withLogIds(
  messages: readonly unknown[],
  ids: ReadonlyMap<string, string | undefined>,
  dialect: Dialect,
): readonly unknown[] {
  if (ids.size === 0) return messages
  const left = new Map(ids)
  const transcript = new Transcript(messages, dialect)
  return messages.map((message, i) => {
    let now = message
    for (const part of transcript.partsOf(i)) {
      if (part.id === undefined || part.server || !left.has(part.id)) continue
      // The id is used again: from here on it belongs to the new call.
      if (part.kind === 'call') left.delete(part.id)
      else if (part.kind === 'result') now = withId(now, part, left.get(part.id), dialect)
    }
    return now
  })
}

function withId(message: unknown, part: Part, id: string | undefined, dialect: Dialect): unknown {
  // If the call in the log has no id, results belong to calls by position.
  if (id === undefined) return message
  const { list, index, value } = part
  return withValueAt(message, index < 0 ? list : [...list, index], dialect.write(part, value, { id }))
}
