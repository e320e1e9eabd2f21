/**
 * The mutation log of VS Code's chat sessions: a whole session first, then values set, pushed and deleted at paths.
 * Paths come from the file: inherited keys are never followed.
 */
import { isObject, jsonText, orUndefined, own, put, wordOf } from '../../core/index.ts'
import type { FileRecord } from '../types.ts'

/** The session after all mutations. Mutations without a session before them are applied to an empty one. */
export function replay(records: readonly FileRecord[]): unknown {
  let session: unknown = { requests: [] }
  for (const { value } of records) {
    if (own(value, 'kind') === 0) session = structured(own(value, 'v'))
    else mutate(session, value)
  }
  return session
}

/** A copy that may be changed; a value too deep to copy is left out. */
function structured(value: unknown): unknown {
  return orUndefined(() => JSON.parse(jsonText(value ?? {})!)) ?? {}
}

function mutate(session: unknown, mutation: unknown): void {
  const path = own(mutation, 'k')
  if (!Array.isArray(path) || path.length === 0) return
  let target: unknown = session
  for (const step of path.slice(0, -1)) target = childOf(target, step)
  const key = path.at(-1) as string | number
  const value = structured({ v: own(mutation, 'v') })
  if (typeof target !== 'object' || target === null) return
  const kind = own(mutation, 'kind')
  if (kind === 1) setAt(target, key, own(value, 'v'))
  else if (kind === 2) pushAt(target, key, own(value, 'v'), own(mutation, 'i'))
  else if (kind === 3 && Object.hasOwn(target, key)) delete (target as Record<string | number, unknown>)[key]
}

function childOf(target: unknown, step: unknown): unknown {
  if (typeof target !== 'object' || target === null) return undefined
  if (typeof step !== 'string' && typeof step !== 'number') return undefined
  return Object.hasOwn(target, step) ? (target as Record<string | number, unknown>)[step] : undefined
}

function setAt(target: object, key: string | number, value: unknown): void {
  if (Array.isArray(target)) {
    if (typeof key === 'number' && key >= 0 && key <= target.length) target[key] = value
  } else put(target, wordOf(key), value)
}

/** `from` cuts the list before the new elements are added. */
function pushAt(target: object, key: string | number, values: unknown, from: unknown): void {
  let list = childOf(target, key)
  if (list === undefined && isObject(target)) {
    list = []
    put(target, wordOf(key), list)
  }
  if (!Array.isArray(list)) return
  if (typeof from === 'number' && from >= 0 && from < list.length) list.length = from
  if (Array.isArray(values)) for (const value of values) list.push(value)
}
