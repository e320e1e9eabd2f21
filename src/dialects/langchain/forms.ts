/**
 * The forms a LangChain message comes in: an instance of a class, plain with a role or a type, stored (`type`, `data`),
 * and as its constructor is serialized (`lc`, `kwargs`). One set of fields, in a different place each.
 */
import { copyOf, isObject, type JsonObject, own, put, type Role, withKey } from '../../core/index.ts'
import { typeBy } from './instances.ts'

/** Where a form has the fields of a message and the lists of its parts. Lists are compared by reference. */
export interface Form {
  readonly inner: 'kwargs' | 'data' | undefined
  readonly content: readonly string[]
  readonly calls: readonly string[]
  readonly raw: readonly string[]
  readonly invalid: readonly string[]
}

function form(inner: 'kwargs' | 'data' | undefined): Form {
  const at = (...path: string[]): readonly string[] => (inner === undefined ? path : [inner, ...path])
  return {
    inner,
    content: at('content'),
    calls: at('tool_calls'),
    raw: at('additional_kwargs', 'tool_calls'),
    invalid: at('invalid_tool_calls'),
  }
}

export const FLAT = form(undefined)
export const STORED = form('data')
export const SERIALIZED = form('kwargs')

export function formOf(message: JsonObject): Form {
  if (message['lc'] === 1 && isObject(message['kwargs'])) return SERIALIZED
  return isObject(message['data']) && own(message, 'content') === undefined ? STORED : FLAT
}

export function fieldsOf(message: JsonObject, { inner }: Form): JsonObject {
  return inner === undefined ? message : (message[inner] as JsonObject)
}

/** The role, from the field that the form uses for it. */
export function roleIn(message: JsonObject, of: Form): Role {
  const named =
    of === SERIALIZED
      ? className(message['id'])
      : // Instances of older versions have only a method for their type.
        (message['role'] ?? message['type'] ?? typeBy(message))
  // A ChatMessage has its role in a field.
  return roles.get(named) ?? roles.get(own(fieldsOf(message, of), 'role')) ?? 'unknown'
}

const roles = new Map<unknown, Role>([
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

/** `AIMessage` and `AIMessageChunk` are both `ai`. */
function className(id: unknown): string {
  const name = Array.isArray(id) ? id.at(-1) : undefined
  return typeof name === 'string' ? name.replace(/Message(Chunk)?$/, '').toLowerCase() : ''
}

/**
 * A copy of the same class with some fields changed. An instance is serialized by the keys of `lc_kwargs`, so fields
 * that differ from `was` are changed there, too.
 */
export function withFields(message: JsonObject, of: Form, fields: JsonObject, was = message): JsonObject {
  if (of.inner === undefined) return inStep(putAll(message, fields), was)
  return withKey(message, of.inner, putAll(fieldsOf(message, of), fields))
}

function putAll(target: JsonObject, fields: JsonObject): JsonObject {
  const copy = copyOf(target)
  for (const key of Object.keys(fields)) {
    if (fields[key] === undefined) delete (copy as Record<string, unknown>)[key]
    else put(copy, key, fields[key])
  }
  return copy
}

function inStep(message: JsonObject, was: JsonObject): JsonObject {
  const kwargs = own(message, 'lc_kwargs')
  if (!isObject(kwargs)) return message
  let now = kwargs
  for (const key of new Set([...Object.keys(was), ...Object.keys(message)])) {
    const value = own(message, key)
    if (key === 'lc_kwargs' || value === own(was, key) || value === own(kwargs, key)) continue
    now = withKey(now, key, value)
  }
  return now === kwargs ? message : withKey(message, 'lc_kwargs', now)
}
