import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type JsonObject,
  type MessageView,
  own,
  type Part,
  valueAt,
  type Walk,
} from '../core/index.ts'
import { isMended } from './mends.ts'
import { setKey, setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'No field is sent that the provider is known to refuse.',
  why: 'Fields that only answers have, or that only others know, make the request invalid when they are sent back.',
  refusals: [
    /messages\.\w+\.content\.\w+\.[\w.]{1,200}\.(?!cache_control\b)\w+: Extra inputs are not permitted/i,
    /messages\.\w+\.(?!reasoning)\w+: Extra inputs are not permitted/i,
    /property '(?!(?:[^']{0,200}\.)?reasoning)[^']{0,200}' is unsupported/i,
    /"messages",\s*\d+,[^\]]{0,200}"(?!reasoning_content)\w{1,64}"\][^{}]{0,200}Extra inputs are not permitted/i,
    /Unknown parameter: '?(?:input|messages)\[\w+\]\./i,
    /Missing required parameter: '?tools\[\w+\]/i,
    /Unknown name \W*\w+\W* at \W*contents\[/i,
  ],
}

type Fields = Readonly<Record<string, readonly string[]>>

/**
 * Law: `fields` — by native part type, the fields it may not have · `messages` — by native role, the fields a message may not have. `*` is any type or role.
 * Each of them was rejected by that provider. A field that is in no list is no finding: it may be newer than the list.
 * `leave`: true — the field holds calls or content. It is reported, and removed only in strict mode or after a rejection.
 */
export const unknownField = defineRule({
  id: 'unknown-field',
  repair: 'lossy',
  quiet: ({ law }) => {
    const { fields = {}, messages = {} } = law as { fields?: Fields; messages?: Fields }
    const isListed = (table: Fields, of: string, key: string) => Object.hasOwn(table, of) && table[of]!.includes(key)
    const tables = [fields, messages]
    return { field: (key, of) => !tables.some((table) => isListed(table, of, key) || isListed(table, '*', key)) }
  },
  messages: { field: 'The provider rejects the field {field} here.' },
  checks: {
    message(view, bound, walk) {
      const { fields, messages } = bound.law as { fields?: Fields; messages?: Fields }
      if (fields) {
        for (const part of view.parts) {
          const type = typeOf(part)
          if (Object.hasOwn(fields, type)) report(walk, bound, view, fields[type]!, part)
          if (Object.hasOwn(fields, '*')) report(walk, bound, view, fields['*']!, part)
        }
      }
      if (!messages) return
      const role = own(view.message, 'role')
      if (typeof role === 'string' && Object.hasOwn(messages, role)) report(walk, bound, view, messages[role]!)
      if (Object.hasOwn(messages, '*') && isMessage(view, role, walk)) report(walk, bound, view, messages['*']!)
    },
  },
})

/** A call that is not written as on the wire is meant to be one that is. A result of the first API has the name of a call: it is a tool's. */
function typeOf({ kind, type, value }: Part): string {
  if (kind === 'result' && type === 'function') return 'tool'
  if (type !== 'odd' || kind !== 'call') return type
  return own(value, 'custom') === undefined ? 'function' : 'custom'
}

/** An item that is no message has fields of its own. */
function isMessage({ message, parts }: MessageView, role: unknown, { dialect }: Walk): boolean {
  const type = dialect.items ? own(message, 'type') : undefined
  if (typeof type === 'string' && type !== 'message') return false
  return role !== undefined || parts.length !== 1 || parts[0]!.value !== message
}

function report(walk: Walk, bound: Bound, view: MessageView, fields: readonly string[], part?: Part): void {
  const holder = part ? part.value : view.message
  const leave = bound.law['leave'] === true && !walk.strict && !bound.refused
  if (!isObject(holder)) return
  const wired = wiredOf(holder, view, bound.law['leave'] === true, walk, part)
  for (const field of fields) {
    if (own(holder, field) === undefined) continue
    // Named otherwise than on the wire: what it holds is known, and another rule names it right.
    if (own(wired, field) === undefined || isRewritten(field, view, walk)) continue
    const step = part ? setPartKey(part, field, undefined) : setKey(view.index, field, undefined)
    walk.report(bound, 'field', part ?? [view.index, field], { field }, leave ? [] : [step])
  }
}

/** A call of the first API is written as one of today, together with its result: that rule speaks of it. */
function isRewritten(field: string, { parts }: MessageView, walk: Walk): boolean {
  if (field !== 'function_call' || !isMended('role-unknown', walk)) return false
  return parts.some(({ kind, type }) => kind === 'call' && type === field)
}

/** What the holder of these fields is on the wire; undefined: it stands where nobody reads it. */
function wiredOf(holder: JsonObject, { message, parts }: MessageView, left: boolean, walk: Walk, part?: Part): unknown {
  const { wire } = walk.dialect
  if (!wire || !(part ? part.type === 'odd' : left && parts.some(({ type }) => type === 'odd'))) return holder
  return part ? valueAt(wire(message), [...part.list, part.index]) : wire(holder)
}
