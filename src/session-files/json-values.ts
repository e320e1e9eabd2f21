/**
 * Looking into records that may be anything. `object`, `text` and `list` read one key, which is faster; the others
 * read a path, and `objectIn` and `listIn` give an empty value where there is none.
 */
import { isObject, type JsonObject, own, tryJsonText, tryParseJson } from '../core/index.ts'

const NOTHING: JsonObject = Object.freeze({})

export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueIn(value, path)
  return typeof found === 'string' ? found : undefined
}

export function numberIn(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueIn(value, path)
  return typeof found === 'number' ? found : undefined
}

export function objectIn(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueIn(value, path)
  return isObject(found) ? found : NOTHING
}

export function listIn(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueIn(value, path)
  return Array.isArray(found) ? found : []
}

function valueIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? own(at, key) : undefined), value)
}

/** The value of a JSON text; undefined if it is not JSON. */
export function fromJson(text: unknown): unknown {
  return typeof text === 'string' ? tryParseJson(text) : undefined
}

/** A value as text for a model: a text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (tryJsonText(value) ?? '')
}

export function fileName(path: string | undefined): string {
  return path?.replaceAll('\\', '/').split('/').at(-1) ?? ''
}

/** The path with `/` on every platform. */
export function slashed(path: string | undefined): string {
  return path?.replaceAll('\\', '/') ?? ''
}

export function object(value: unknown, key: string): JsonObject | undefined {
  const found = own(value, key)
  return isObject(found) ? found : undefined
}

export function text(value: unknown, key: string): string | undefined {
  const found = own(value, key)
  return typeof found === 'string' ? found : undefined
}

export function list(value: unknown, key: string): readonly unknown[] | undefined {
  const found = own(value, key)
  return Array.isArray(found) ? found : undefined
}

/** Without keys whose value is undefined. */
export function defined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}

/** The words of a text: names that a format uses. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
