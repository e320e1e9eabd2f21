/** Removes fields from messages by the paths that a rejection named, and no other unknown fields. */
import { isObject, type JsonObject, withKey } from '../../core/index.ts'
import { CONTENT_FIELDS, isVariant } from '../../dialects/request-fields.ts'
import type { FieldPath } from '../rejections/unknown-fields.ts'

export interface RemovedFields {
  readonly history: readonly unknown[]
  /** Names of the fields that were removed. */
  readonly fields: readonly string[]
}

/** The same list if nothing is removed; messages without these fields keep their reference. */
export function removeFields(history: readonly unknown[], paths: readonly FieldPath[]): RemovedFields {
  const fields = new Set<string>()
  const removable = paths.filter((path) => !CONTENT_FIELDS.has(path.at(-1)!))
  if (removable.length === 0) return { history, fields: [] }
  const next = history.map((message) => {
    let now = message
    for (const path of removable) {
      const less = remove(now, path)
      if (less !== now) fields.add(path.at(-1)!)
      now = less
    }
    return now
  })
  return fields.size === 0 ? { history, fields: [] } : { history: next, fields: [...fields] }
}

function remove(value: unknown, path: FieldPath): unknown {
  const [head, ...rest] = path
  if (head === '*') return Array.isArray(value) ? changed(value, (one) => remove(one, rest)) : value
  // The rejection names no index of this list (Gemini): all elements.
  if (Array.isArray(value)) return changed(value, (one) => remove(one, path))
  if (!isObject(value) || head === undefined) return value
  // Schemas name the variant before its field: by type, role or class.
  if (rest.length > 0 && isVariant(value, head)) return remove(value, rest)
  const key = keyIn(value, head)
  if (key === undefined) return rest.length > 0 && /[A-Z]/.test(head) ? remove(value, rest) : value
  if (rest.length === 0) return withKey(value, key, undefined)
  const inner = remove(value[key], rest)
  return inner === value[key] ? value : withKey(value, key, inner)
}

/** Gemini names fields in snake case, whatever the request has. */
function keyIn(value: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(value, name)) return name
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.hasOwn(value, camel) ? camel : undefined
}

function changed(list: readonly unknown[], change: (one: unknown) => unknown): readonly unknown[] {
  const next = list.map(change)
  return next.every((one, i) => one === list[i]) ? list : next
}
