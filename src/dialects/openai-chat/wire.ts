/**
 * Messages with their fields named as on the wire.
 */
import { isObject, type JsonObject, tryParseJson, withKey } from '../../core/index.ts'
import { listOf, textOf, word } from '../blocks.ts'
import { otherArgumentKey, otherOutputKey, withOwnArguments, withOwnKey } from '../other-keys.ts'

const CALL_IDS = ['id', 'tool_call_id', 'toolCallId', 'callId', 'call_id', 'tool_use_id', 'toolUseId'] as const
export const RESULT_IDS = ['tool_call_id', 'toolCallId', 'callId', 'call_id', 'tool_use_id', 'toolUseId'] as const
/** Old histories say `toolCallId` or `toolCalls`, or have a call's name beside its id instead of under `function`. */
export function wire(message: unknown): unknown {
  if (!isObject(message)) return message
  const { role } = message
  if (role === 'tool' || (role === 'function' && RESULT_IDS.some((key) => message[key] !== undefined))) {
    const said = withOwnKey(message, 'content', otherOutputKey(message, 'content'))
    const named = wireId(said, 'tool_call_id', RESULT_IDS)
    return role === 'tool' ? named : withKey(named, 'role', 'tool')
  }
  const own = message['tool_calls']
  const others = OTHER_LISTS.filter((key) => message[key] !== undefined)
  if (!Array.isArray(own ?? message[others[0] ?? ''])) return message
  const calls =
    others.length === 0 ? (own as unknown[]) : [...listOf(own), ...others.flatMap((key) => listOf(message[key]))]
  const wired = calls.some((call) => wireCall(call) !== call) ? calls.map(wireCall) : calls
  const named = others.reduce((now, key) => withKey(now, key, undefined), message)
  return wired === own && named === message ? message : withKey(named, 'tool_calls', wired)
}

/** Other names of the list of calls. */
export const OTHER_LISTS = ['toolCalls', 'tool_call', 'toolCall'] as const

/** The function of a call. In a list of one or as JSON text it is still the function. */
export function functionOf(call: JsonObject): JsonObject | undefined {
  const held = call['function']
  if (isObject(held)) return held
  const read = typeof held === 'string' && held.trimStart().startsWith('{') ? tryParseJson(held) : held
  if (isObject(read)) return read
  if (!Array.isArray(read)) return undefined
  const [one, ...more] = read
  if (isObject(one) && more.length === 0) return one
  // Several, or none: which one was called is unknown, and all of it is kept.
  return { name: nameOf({ name: isObject(one) ? one['name'] : one }), arguments: textOf({ function: read }) }
}

function wireCall(call: unknown): unknown {
  if (!isObject(call)) return call
  const wired = wireId(call, 'id', CALL_IDS)
  const inner = functionOf(wired)
  if (inner) {
    const now = withOwnArguments(inner, 'arguments')
    return now === wired['function'] ? wired : withKey(wired, 'function', now)
  }
  const name = nameOf(wired)
  if (isObject(wired['custom']) || name === undefined) return wired
  const key = otherArgumentKey(wired, 'arguments') ?? 'arguments'
  const said = wired[key] ?? '{}'
  const rest = [...NAMES, 'type', key].reduce((now, one) => withKey(now, one, undefined), wired)
  return { ...rest, type: 'function', function: { name, arguments: typeof said === 'string' ? said : textOf(said) } }
}

/** Where SDKs keep the name of a call's tool; under `function` it is a text. */
const NAMES = ['name', 'toolName', 'tool_name', 'functionName', 'function_name', 'function', 'tool'] as const

export function nameOf(call: JsonObject): string | undefined {
  for (const key of NAMES) if (word(call[key]) !== undefined) return call[key] as string
  return undefined
}

function wireId(object: JsonObject, key: string, others: readonly string[]): JsonObject {
  if (object[key] !== undefined) return object
  const other = others.find((one) => one !== key && object[one] !== undefined)
  return other === undefined ? object : withKey(withKey(object, other, undefined), key, object[other])
}
