/**
 * Arguments, ids and outputs under the key of another SDK. They are the only copy, so they are read and moved, never replaced.
 */
import { isObject, type JsonObject, nearKey, withKey } from '../core/index.ts'

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

/** The arguments of a call, wherever they are. */
export function argumentsOf(call: JsonObject, own: string): unknown {
  const here = call[own]
  if (here !== undefined) return here
  const other = otherArgumentKey(call, own)
  return other === undefined ? undefined : call[other]
}

/** The call with its arguments under the dialect's own key; the same object if they are. */
export function withOwnArguments(call: unknown, own: string): unknown {
  const other = isObject(call) ? otherArgumentKey(call, own) : undefined
  if (other === undefined) return call
  return withKey(withKey(call as JsonObject, other, undefined), own, (call as JsonObject)[other])
}

/** Keys of other SDKs for the id of a call, and for the output of a result. */
const ID_KEYS = ['toolCallId', 'callId', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId'] as const
/** What only a message with a result has. */
export const RESULT_KEYS: readonly string[] = [...ID_KEYS, 'toolName', 'isError', 'is_error']
const OUTPUT_KEYS = [
  ...['output', 'result', 'content', 'response', 'text', 'value', 'data', 'message', 'toolResult', 'tool_result'],
  ...['tool_output', 'toolOutput', 'observation', 'body'],
]

/** The other key that holds the id, if the dialect's own holds none. */
export function otherIdKey(object: JsonObject, own: string): string | undefined {
  if (object[own] !== undefined && object[own] !== null) return undefined
  const isId = (key: string) => key !== own && typeof object[key] === 'string' && object[key] !== ''
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

/** A list with each entry rewritten; the same list if none changed. */
export function mapChanged(list: unknown, change: (one: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list
  const mapped = list.map(change)
  return mapped.some((one, i) => one !== list[i]) ? mapped : list
}
