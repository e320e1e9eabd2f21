/**
 * Messages that a client adds, with the ids of the log. Some clients rename the ids of calls between two requests or invent their own: their
 * results would answer no call of the log.
 */
import { type Dialect, type Part, Transcript, withValueAt } from '../core/index.ts'

/** `ids`: what the client calls by another id, and the log's own; undefined: the log has none. The same list where nothing changes. */
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
      // The id is used again: from here on it is the new call's.
      if (part.kind === 'call') left.delete(part.id)
      else if (part.kind === 'result') now = withId(now, part, left.get(part.id), dialect)
    }
    return now
  })
}

function withId(message: unknown, part: Part, id: string | undefined, dialect: Dialect): unknown {
  // Where the log's call has no id, results belong to calls by their place, whatever id they carry.
  if (id === undefined) return message
  const { list, index, value } = part
  return withValueAt(message, index < 0 ? list : [...list, index], dialect.write(part, value, { id }))
}
