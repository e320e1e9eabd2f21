/**
 * What the arguments of a call are worth as JSON, and what can be made of broken ones.
 */
import { isObject, type JsonObject, jsonText, type Law, type Part, parseJson, type Walk } from '../core/index.ts'

/** Law: `types` — native types of calls whose arguments are JSON; absent: all but free-form ones (`custom...`) and built-in tools (`shell_call`). */
export function isJsonCall(part: Part, law: Law): boolean {
  if (part.server) return false
  const types = law['types'] as readonly string[] | undefined
  if (types) return types.includes(part.type)
  const { type } = part
  if (type === 'function') return true
  return type === 'function_call' || !(type.startsWith('custom') || type.endsWith('_call'))
}

export function isNothing(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'string' && body.trim() === '')
}

export type Sort = 'object' | 'other' | 'broken'

/**
 * Two rules ask about the same call one after the other: it is parsed once.
 * Law: `glance` — true: what begins and ends like an object is taken for one, and not parsed.
 */
export function sortOf(walk: Walk, body: string, law: Law): Sort {
  if (law['glance'] === true && looksLikeObject(body)) return 'object'
  const last = walk.memory.get('arguments') as { body: string; sort: Sort } | undefined
  if (last?.body === body) return last.sort
  const sort = parse(body)
  if (last) {
    last.body = body
    last.sort = sort
  } else walk.memory.set('arguments', { body, sort })
  return sort
}

function looksLikeObject(text: string): boolean {
  return text.charCodeAt(0) === 123 && text.charCodeAt(text.length - 1) === 125
}

function parse(text: string): Sort {
  try {
    JSON.parse(text)
  } catch {
    return 'broken'
  }
  // What parses and begins with a brace is an object.
  return text.charCodeAt(0) === 123 || text.trimStart().charCodeAt(0) === 123 ? 'object' : 'other'
}

/** The object these arguments were meant to be; what is none stays readable under `_raw`. Never `{}` for what said something. */
export function asArguments(body: unknown): JsonObject {
  if (isObject(body)) return body
  if (isNothing(body)) return {}
  let value: unknown = body
  // Written twice over (a string that holds the text of an object), or fenced as a model fences code.
  for (let depth = 0; depth < 3 && typeof value === 'string'; depth++) {
    const inner = tryParse(value) ?? tryParse(unfenced(value))
    if (isObject(inner)) return inner
    if (typeof inner !== 'string') break
    value = inner
  }
  return { _raw: body }
}

export function toText(value: unknown): string | undefined {
  try {
    return jsonText(value)
  } catch {
    // Nested too deep to be written down.
    return undefined
  }
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function unfenced(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed
  return trimmed.slice(trimmed.indexOf('\n') + 1, -3)
}
