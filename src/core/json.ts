/**
 * JSON values: looked into, compared, copied one level at a time.
 * Never recurses (a tool may return a thousand nested arrays), never trusts a key: `__proto__` is a key like any other.
 */

import { checkValue } from './options.ts'
import { copySpelling } from './spelling.ts'
import { wordOf } from './word.ts'

/** Keys and indexes that lead to a value. */
export type Path = readonly (string | number)[]
/** An object of JSON, of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object, not null and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value under a key, or undefined. For keys that no prototype has: it does not check that the key is its own. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

/** For `JSON.stringify`: objects with their keys in order. */
export function sortedKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A path as a JSON Pointer (RFC 6901). */
export function pointer(path: Path): string {
  checkValue('A path', path, 'list')
  return path.map((step) => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

/** The value at a path, or undefined. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** A copy of one level, with its prototype: histories may hold instances of classes. */
export function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return copySpelling(value, value.slice() as unknown as T)
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return copySpelling(value, { ...value })
  return Object.assign(Object.create(prototype), value)
}

/** Writes a key as data; plain assignment to `__proto__` would change the prototype instead. */
export function put(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    ;(target as Record<string, unknown>)[key] = value
  }
}

/** A copy with one key changed; `undefined` takes the key away. */
export function withKey<T extends object>(value: T, key: string, now: unknown): T {
  const copy = copyOf(value)
  if (now === undefined) delete (copy as Record<string, unknown>)[key]
  else put(copy, key, now)
  return copy
}

/** A copy with one value changed deep inside, copying only the way down. An object is made where there is none. */
export function withValueAt<T>(root: T, path: Path, now: unknown): T {
  const [step, ...rest] = path
  if (step === undefined) return now as T
  const inner = rest.length === 0 ? now : withValueAt(valueAt(root, [step]), rest, now)
  return withKey(typeof root === 'object' && root !== null ? root : {}, wordOf(step), inner) as T
}

/** A stored or compared value has at most so many levels, far fewer than `JSON.stringify` takes. */
const MOST_LEVELS = 1000

/** Whether a value has more levels than any client sends. */
export function isTooDeep(value: unknown): boolean {
  // A value that is not from JSON may hold itself, or an object twice.
  const seen = new Set<unknown>()
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth++) {
    const next: object[] = []
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null && !seen.has(inner)) {
            seen.add(inner)
            next.push(inner)
          }
    level = next
  }
  return level.length > 0
}

/** Deep equality of JSON values. A key that holds undefined counts as absent, as JSON has it. */
export function equal(left: unknown, right: unknown): boolean {
  const stack: unknown[] = [left, right]
  while (stack.length > 0) {
    const b = stack.pop()
    const a = stack.pop()
    // Not Object.is: JSON has no negative zero, so a stored patch says 0 for it.
    if (a === b || Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (!pushChildren(a as object, b as object, stack)) return false
  }
  return true
}

function pushChildren(a: object, b: object, stack: unknown[]): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) {
    const other = b as readonly unknown[]
    if (a.length !== other.length) return false
    for (let i = 0; i < a.length; i++) stack.push(a[i], other[i])
    return true
  }
  const keys = definedKeys(a)
  if (keys.length !== definedKeys(b).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false
    stack.push((a as JsonObject)[key], (b as JsonObject)[key])
  }
  return true
}

function definedKeys(value: object): string[] {
  return Object.keys(value).filter((key) => (value as JsonObject)[key] !== undefined)
}

/** The key that differs from this one only in case, underscores or a plural: `Content`, `contents`, `tool_call`. */
export function nearKey(object: JsonObject, key: string): string | undefined {
  const wanted = plainKey(key)
  for (const one of Object.keys(object))
    if (one !== key && object[one] !== undefined && object[one] !== null && plainKey(one) === wanted) return one
  return undefined
}

/** A key without case, underscores, dashes and plural. */
export function plainKey(key: string): string {
  return key.replace(/[_-]/g, '').replace(/s$/i, '').toLowerCase()
}
