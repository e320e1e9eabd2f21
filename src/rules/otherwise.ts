/**
 * What a message says beside its content, and what only looks as if it did.
 */
import { isObject, type MessageView, own, type Walk, withKey } from '../core/index.ts'
import { contentKey } from './content.ts'
import { isUnread } from './odd-keys.ts'

const LEGACY_CALL = 'function_call'

/** An assistant's message that calls, refuses or speaks aloud needs no content beside that. */
export function saysOtherwise(view: MessageView, walk: Walk): boolean {
  if (view.role !== 'assistant' || !isObject(view.message)) return false
  for (const part of view.parts) if (part.kind === 'call') return true
  return isKept(view.message, '', view, walk)
}

/** Whether something is left of the message with this content and without the fields that say nothing. */
export function isKept(message: object, content: '' | readonly [], view: MessageView, walk: Walk): boolean {
  const read = emptyKeys(view, walk).reduce<object>((now, key) => withKey(now, key, undefined), message)
  return walk.dialect.tidy(withKey(read, contentKey(walk), content)) !== undefined
}

/** Fields of the message that hold nothing but what is no call: lists that are not there on the wire, and the call of the first API. */
export function emptyKeys({ message, parts }: MessageView, walk: Walk): readonly string[] {
  const unread = parts.filter((part) => part.kind === 'opaque' && isUnread(part, walk))
  const keys = new Set(unread.map(({ list }) => list[0]!))
  const legacy = own(message, LEGACY_CALL)
  if (legacy !== undefined && legacy !== null && !isObject(legacy)) keys.add(LEGACY_CALL)
  return [...keys]
}
