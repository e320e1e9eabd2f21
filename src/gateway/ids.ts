/**
 * Ids of sessions: what may be one, and one that is made from a conversation itself.
 */
import { createHash } from 'node:crypto'
import type { Endpoint } from '../guard/core.ts'
import { essence } from './match.ts'
import { Problem } from './problem.ts'

const ID = /^[A-Za-z0-9][\w.:~-]{0,127}$/

/** An id made from how the conversation begins: its system prompt and all up to the first thing the user says. */
export function derivedId(
  body: Readonly<Record<string, unknown>>,
  list: readonly unknown[],
  endpoint: Endpoint,
): string {
  const { dialect } = endpoint.service
  const first = list.findIndex((message) => dialect.read(message, 0, []) === 'user')
  const begun = list.slice(0, first + 1).map((message) => essence(message, dialect))
  const system = body['system'] ?? body['instructions'] ?? body['systemInstruction'] ?? null
  const hash = createHash('sha256')
    .update(JSON.stringify([dialect.id, system, begun]))
    .digest('hex')
  return `auto-${hash.slice(0, 24)}`
}

/** Throws where it cannot be one. */
export function checkedId(id: string): string {
  if (ID.test(id)) return id
  throw new Problem(
    'bad-session',
    'A session id has up to 128 letters, digits, dots, colons, dashes and underscores, and begins with a letter or digit.',
  )
}
