/**
 * Reads JSON of unknown shape. Never throws, never recurses: a body may be nested deeper than the stack.
 */

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of a value that may not be an object. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = field(value, key)
  return Array.isArray(list) ? list : []
}

export function textAt(value: unknown, key: string): string {
  const text = field(value, key)
  return typeof text === 'string' ? text : ''
}

/** Absent and `null` are the same for most providers. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}

export function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The type of a value in OpenAI's words: `but got {kind} instead`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal'
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}
