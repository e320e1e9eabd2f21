/**
 * Arguments of calls: which calls have JSON arguments, what they are, and what can be made of broken ones.
 */
import { isObject, type JsonObject, type Part, parseJson, type Transcript } from '../../core/index.ts'

export interface ArgumentParams {
  /** Absent, null and empty arguments are accepted. */
  readonly emptyOk?: boolean
  /** Native types of calls with JSON arguments. Default: all but free-form ones (`custom...`) and built-in tools (`shell_call`). */
  readonly types?: readonly string[]
  /** What begins and ends like an object is taken for one and not parsed. For constraints that only warn. */
  readonly bracesOnly?: boolean
  /** Only texts are looked at: another rule reports what is none. */
  readonly textsOnly?: boolean
}

export function hasJsonArguments({ type }: Part, types: readonly string[] | undefined): boolean {
  if (types) return types.includes(type)
  return type === 'function' || type === 'function_call' || !(type.startsWith('custom') || type.endsWith('_call'))
}

export function isAbsent(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'string' && body.trim() === '')
}

export type JsonKind = 'object' | 'other' | 'broken'

/** What the text of a call's arguments holds. Parsed at most once: two rules ask. */
export function kindOfArguments(t: Transcript, { order, body }: Part, bracesOnly: boolean | undefined): JsonKind {
  const text = body as string
  if (bracesOnly && text.charCodeAt(0) === 123 && text.charCodeAt(text.length - 1) === 125) return 'object'
  const kinds = t.derive(kindOfArguments, (): JsonKind[] => [])
  kinds[order] ??= kindOfJson(text)
  return kinds[order]
}

function kindOfJson(text: string): JsonKind {
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
  if (isAbsent(body)) return {}
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
