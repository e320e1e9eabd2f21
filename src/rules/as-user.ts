/**
 * A message of a role that has no place here, said by the user.
 */
import { isObject, type MessageView, type Step, withKey } from '../core/index.ts'

/** Instructions among the user's words must not read as the user's: they are marked. */
export function asUser(view: MessageView, mark: string): readonly Step[] {
  const first = view.parts.find((part) => part.kind === 'text' && typeof part.body === 'string')
  const role = withRole(view.index, 'user')
  return first ? [{ do: 'write', part: first, change: { text: `[${mark}] ${first.body as string}` } }, role] : [role]
}

export function withRole(message: number, role: string): Step {
  return { do: 'rewrite', message, with: (now) => (isObject(now) ? withKey(now, 'role', role) : now) }
}
