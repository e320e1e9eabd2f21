/** A message whose role has no place here, as a message of the user. */
import type { Fix, Transcript } from '../../core/index.ts'

/** Instructions among the user's messages must not read as the user's: they are marked. */
export function asUser(t: Transcript, message: number, mark: string): Fix {
  const first = t.partsOf(message).find((part) => part.kind === 'text' && typeof part.body === 'string')
  const role = { do: 'set', message, key: 'role', value: 'user' } as const
  if (!first) return [role]
  return [{ do: 'write', part: first, change: { text: `[${mark}] ${first.body as string}` } }, role]
}
