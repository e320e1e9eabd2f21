import { isObject } from '../judges/json.ts'
import type { JsonObject } from './types.ts'

export { isObject }

/** The object, or an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asObjects(value: unknown): readonly JsonObject[] {
  return asList(value).filter(isObject)
}

/** Every string inside a value, joined: content is a string, parts, or parts of parts. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join(' ')
  if (!isObject(value)) return value === undefined || value === null ? '' : String(value)
  if (typeof value['text'] === 'string') return value['text']
  if ('content' in value) return textIn(value['content'])
  return JSON.stringify(value)
}

/** A value as a word. Of an object its JSON: its own `toString` may be no function. */
export function wordOf(value: unknown): string {
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
}
