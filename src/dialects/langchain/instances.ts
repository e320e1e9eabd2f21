/**
 * Among instances of LangChain's classes, new messages are instances as well: of a class in the history, else of one
 * derived from the base class of the history's instances. LangChain is not imported, so its other classes are not
 * available.
 */
import { isObject, type JsonObject, orUndefined } from '../../core/index.ts'

type Speaker = 'user' | 'assistant' | 'tool'
type Class = (new (fields: object) => object) & { lc_name?: () => string }

export const CLASSES = { user: 'HumanMessage', assistant: 'AIMessage', tool: 'ToolMessage' } as const
export const TYPES = { user: 'human', assistant: 'ai', tool: 'tool' } as const

/** The type that a method of an instance returns; undefined for plain objects. */
export function typeBy(message: JsonObject): unknown {
  const ask = message['_getType'] ?? message['getType']
  return orUndefined(() => (typeof ask === 'function' ? ask.call(message) : undefined))
}

function isInstance(message: unknown): message is JsonObject {
  return isObject(message) && (typeof message['_getType'] === 'function' || typeof message['getType'] === 'function')
}

/** A function that writes instances like those of the history; undefined if it has no instance. */
export function instancesLike(
  history: readonly unknown[],
): ((role: Speaker, fields: JsonObject) => JsonObject) | undefined {
  const first = history.find(isInstance)
  if (!first) return undefined
  return (role, fields) => {
    const same = history.find((one) => isInstance(one) && typeBy(one) === TYPES[role] && !isChunk(one))
    const made = same === undefined ? undefined : construct(classOf(same), role, fields)
    return made ?? construct(derived(baseOf(first), role), role, fields) ?? { role, ...fields }
  }
}

/** A class of the caller may need other arguments: the result is used only if it is a message of that type. */
function construct(one: Class | undefined, role: Speaker, fields: JsonObject): JsonObject | undefined {
  if (!one) return undefined
  try {
    const message = new one({ ...fields })
    return isInstance(message) && typeBy(message) === TYPES[role] ? message : undefined
  } catch {
    return undefined
  }
}

function classOf(message: unknown): Class | undefined {
  const prototype = Object.getPrototypeOf(message)
  return prototype?.constructor?.prototype === prototype ? prototype.constructor : undefined
}

/** A piece of a stream, which has other fields. */
function isChunk(message: unknown): boolean {
  const one = classOf(message)
  return /Chunk$/.test(one?.lc_name?.() ?? one?.name ?? '')
}

/** The base class of all messages: the highest one with a method for their type. */
function baseOf(message: JsonObject): Class | undefined {
  let base: Class | undefined
  for (let one = Object.getPrototypeOf(message); one !== null; one = Object.getPrototypeOf(one)) {
    const knows = ['toDict', 'getType', '_getType'].some((name) => Object.hasOwn(one, name))
    if (knows && one.constructor?.prototype === one) base = one.constructor
  }
  return base
}

const known = new WeakMap<Class, Map<Speaker, Class>>()

/** A class with the name of LangChain's own, so that it is serialized and loaded as that class. */
function derived(base: Class | undefined, role: Speaker): Class | undefined {
  if (!base) return undefined
  let classes = known.get(base)
  if (!classes) {
    classes = new Map()
    known.set(base, classes)
  }
  let one = classes.get(role)
  if (!one) {
    one = derive(base, role)
    classes.set(role, one)
  }
  return one
}

function derive(base: Class, role: Speaker): Class {
  const one = class extends base {
    readonly type = TYPES[role]
    static override lc_name(): string {
      return CLASSES[role]
    }
    constructor(fields: object) {
      super(fields)
      const calls = role === 'assistant' ? { tool_calls: [], invalid_tool_calls: [] } : {}
      Object.assign(this, calls, fields)
    }
    _getType(): string {
      return TYPES[role]
    }
  }
  Object.defineProperty(one, 'name', { value: CLASSES[role] })
  return one
}
