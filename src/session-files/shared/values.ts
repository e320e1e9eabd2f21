/**
 * Short readers for values of records, which may be anything.
 */
import { isObject, type JsonObject, own } from '../../core/index.ts'

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
