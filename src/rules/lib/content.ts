/** The content of a message: its key, a block of text in it, and whether the message says anything beside it. */
import { type Fix, isObject, looseText, nearKey, own, type Part, type Transcript, withKey } from '../../core/index.ts'

/** Whether a message of one of these roles must have content. A message of an unknown role counts as the user's. */
export function needsContent(t: Transcript, message: number, roles: readonly string[]): boolean {
  const first = t.parts[t.starts[message]!]
  const isWhole = first?.message === message && first.index < 0 && first.list.length === 0
  if (isWhole && (t.dialect.items || first.kind !== 'result')) return false
  const role = t.role(message)
  if (!roles.includes(role === 'unknown' ? 'user' : role)) return false
  const native = t.history[message]
  return isObject(native) && !t.dialect.isRoleless?.(native)
}

/** Text under another dialect's key goes where this one reads it; undefined if there is none. */
export function moveText(t: Transcript, message: number, mark = ''): Fix | undefined {
  const key = t.contentKey
  const near = mark === '' ? nearContent(t, message) : undefined
  if (near) return near
  const found = t.dialect.foreignText?.(t.history[message]) ?? unread(t, message)
  if (!found) return undefined
  return [
    { do: 'set', message, key: found.key, value: undefined },
    { do: 'set', message, key, value: own(t.dialect.textMessage('user', mark + found.text), key) },
  ]
}

/** The content itself under a misspelled key: it moves as it is. */
function nearContent(t: Transcript, message: number): Fix | undefined {
  const native = t.history[message]
  const key = t.contentKey
  const near = isObject(native) ? nearKey(native, key) : undefined
  const value = near === undefined ? undefined : own(native, near)
  if (near === undefined || !(typeof value === 'string' || Array.isArray(value))) return undefined
  return [
    { do: 'set', message, key: near, value: undefined },
    { do: 'set', message, key, value },
  ]
}

/** Fields that are about a message and have none of its content. */
const ASIDE =
  /^(?:role|type|id|name|model|status|usage|index|timestamp|container|diagnostics|citations|annotations)$|_id$|[a-z]Id$|^(?:created|cache|stop|reasoning|thinking|provider|response|additional|internal)|[mM]etadata|[sS]ignature/

/** The text of a field that no dialect knows, if nothing else of the message can be read: it may be the only copy. */
function unread(t: Transcript, message: number): { key: string; text: string } | undefined {
  const native = t.history[message]
  if (!isObject(native) || t.partsOf(message).length > 0) return undefined
  for (const key of Object.keys(native)) {
    if (key === t.contentKey || ASIDE.test(key)) continue
    const text = looseText(native[key])
    if (text.length > SHORT) return { key, text }
  }
  return undefined
}

/** Texts up to this length are taken for metadata. */
const SHORT = 8

/** An assistant message that calls, refuses or has audio needs no content beside that. */
export function speaksOtherwise(t: Transcript, message: number): boolean {
  if (!t.isAssistant(message)) return false
  return hasCall(t, message) || !isEmptyWithout(t, message)
}

/** Nothing is left of the message if its content is empty. */
export function isEmptyWithout(t: Transcript, message: number): boolean {
  const native = t.history[message]
  return isObject(native) && t.dialect.cleanUp(withKey(native, t.contentKey, [])) === undefined
}

function hasCall(t: Transcript, message: number): boolean {
  for (let k = t.starts[message]!; k < t.starts[message + 1]!; k++) if (t.parts[k]!.kind === 'call') return true
  return false
}

/** Beside the content: reasoning in a field of its own. */
export function isAside({ kind, list }: Part, t: Transcript): boolean {
  return kind === 'reasoning' && list.length > 0 && list[0] !== t.contentKey
}
