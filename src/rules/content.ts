/**
 * What the rules about a message's content share: where it stands, whether it says anything, and how a text is written in it.
 */
import { type Bound, isObject, type MessageView, own, valueAt, type Walk } from '../core/index.ts'

/** Where a message of this dialect keeps its content. */
export function contentKey(walk: Walk): string {
  return walk.dialect.blocks?.[0] ?? 'content'
}

/** Law: `roles` — for whom it holds; a provider that has just refused is taken at its word for all. */
export function isFor(view: MessageView, bound: Bound, usual: readonly string[], walk: Walk): boolean {
  const { message } = view
  // A role that nobody knows becomes the user's where it is mended.
  const role = view.role === 'unknown' && walk.plan.bounds.has('role-unknown') ? 'user' : view.role
  if (role === 'unknown' || !isObject(message)) return false
  // An item that is a call, an output, a thought or of a kind nobody knows has no content of its own.
  const type = own(message, 'type')
  if (own(message, 'role') === undefined && type !== undefined) return false
  if (walk.dialect.items && typeof type === 'string' && type !== 'message') return false
  const whole = view.parts[0]
  if (whole && whole.index < 0 && whole.list.length === 0 && whole.kind !== 'result') return false
  const roles = bound.refused ? undefined : (bound.law['roles'] as readonly string[] | undefined)
  return (roles ?? usual).includes(role)
}

/** Nothing, or nothing but empty texts. */
export function isEmptyContent(content: unknown): boolean {
  if (!Array.isArray(content)) return content === undefined || content === null || content === ''
  return content.every((block) => own(block, 'type') === 'text' && (own(block, 'text') ?? '') === '')
}

/** A block of text as this dialect writes one for the user. */
export function textBlock(walk: Walk, text: string): unknown {
  const said = walk.dialect.say('user', text, [null])
  const list = valueAt(said, [contentKey(walk)])
  return Array.isArray(list) ? list[0] : { type: 'text', text }
}
