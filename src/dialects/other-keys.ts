/**
 * Arguments, ids and outputs under the key of another SDK. They are the only copy, so they are moved, never replaced.
 */
import { isObject, type JsonObject, nearKey, own, withKey } from '../core/index.ts'
import { word } from './blocks.ts'

const KEYS = [
  ...[
    'input',
    'arguments',
    'args',
    'parameters',
    'params',
    'kwargs',
    'tool_input',
    'toolInput',
    'tool_args',
    'toolArgs',
  ],
  ...['function_args', 'functionArgs', 'arguments_json', 'argumentsJson'],
]

/** The other key that holds the arguments, if the dialect's own holds none. */
export function otherArgumentKey(call: JsonObject, own: string): string | undefined {
  if (call[own] !== undefined) return undefined
  for (const key of KEYS) if (key !== own && call[key] !== undefined && call[key] !== null) return key
  return nearKey(call, own)
}

/** The call with its arguments under the dialect's own key; the same object if they are. */
export function withOwnArguments(call: JsonObject, own: string): JsonObject {
  return withOwnKey(call, own, otherArgumentKey(call, own))
}

/** Keys of other SDKs for the id of a call, and for the output of a result. */
const ID_KEYS = ['toolCallId', 'callId', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId'] as const
/** Keys that only a message with a result has. */
export const RESULT_KEYS: readonly string[] = [...ID_KEYS, 'toolName', 'isError', 'is_error']
const OUTPUT_KEYS = [
  ...['output', 'result', 'content', 'response', 'text', 'value', 'data', 'message', 'toolResult', 'tool_result'],
  ...['tool_output', 'toolOutput', 'observation', 'body'],
]

/** The other key that holds the id, if the dialect's own holds none. */
export function otherIdKey(object: JsonObject, own: string): string | undefined {
  if (object[own] !== undefined && object[own] !== null) return undefined
  const isId = (key: string) => key !== own && (word(object[key]) !== undefined || typeof object[key] === 'number')
  const near = own === 'id' ? undefined : nearKey(object, own)
  return ID_KEYS.find(isId) ?? (near !== undefined && isId(near) ? near : undefined)
}

/** The other key that holds the output, if the dialect's own holds none. */
export function otherOutputKey(result: JsonObject, own: string): string | undefined {
  if (result[own] !== undefined && result[own] !== null) return undefined
  const found = OUTPUT_KEYS.find((key) => key !== own && result[key] !== undefined && result[key] !== null)
  return found ?? nearKey(result, own)
}

/** The object with what `other` holds under the dialect's own key. */
export function withOwnKey(object: JsonObject, own: string, other: string | undefined): JsonObject {
  return other === undefined ? object : withKey(withKey(object, other, undefined), own, object[other])
}

/** The object with its id under the dialect's own key; the same object if it is. */
export function withOwnId(object: JsonObject, own: string): JsonObject {
  return withOwnKey(object, own, otherIdKey(object, own))
}

/** The result with its output under the dialect's own key; the same object if it is. */
export function withOwnOutput(result: JsonObject, own: string): JsonObject {
  return withOwnKey(result, own, otherOutputKey(result, own))
}

/** The object with another value under a key; the same object if it has that value. */
export function withChanged(object: JsonObject, key: string, value: unknown): JsonObject {
  return object[key] === value ? object : withKey(object, key, value)
}

/** The message with each object in one of its lists rewritten; the same message if none changed. */
export function mapList(message: unknown, key: string, change: (one: JsonObject) => JsonObject): unknown {
  const list = own(message, key)
  if (!Array.isArray(list)) return message
  const mapped = list.map((one) => (isObject(one) ? change(one) : one))
  return mapped.some((one, i) => one !== list[i]) ? withKey(message as object, key, mapped) : message
}
