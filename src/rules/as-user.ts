/**
 * A message of a role that has no place here, said by the user.
 */
import type { MessageView, Step } from '../core/index.ts'
import { setKey } from './set-key.ts'

/** Instructions among the user's words must not read as the user's: they are marked. */
export function asUser(view: MessageView, mark: string): readonly Step[] {
  const first = view.parts.find((part) => part.kind === 'text' && typeof part.body === 'string')
  const role = setKey(view.index, 'role', 'user')
  return first ? [{ do: 'write', part: first, change: { text: `[${mark}] ${first.body as string}` } }, role] : [role]
}
