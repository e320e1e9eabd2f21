/** Messages with their fields named as on the wire. */
import { isObject, type JsonObject, tryParseJson, withKey } from '../../core/index.ts'
import { listOf, textOf, word } from '../blocks.ts'
import { otherArgumentKey, withChanged, withOwnArguments, withOwnId, withOwnOutput } from '../other-keys.ts'

/** Some histories have `toolCallId` or `toolCalls`, or a call's name beside its id instead of under `function`. */
export function wire(message: unknown): unknown {
  if (!isObject(message)) return message
  if (message['role'] === 'tool' || message['role'] === 'function') return wireResult(message)
  const own = message['tool_calls']
  const others = OTHER_LISTS.filter((key) => message[key] !== undefined)
  if (!Array.isArray(own ?? message[others[0] ?? ''])) return message
  const calls =
    others.length === 0 ? (own as unknown[]) : [...listOf(own), ...others.flatMap((key) => listOf(message[key]))]
  const mapped = calls.map((call) => (isObject(call) ? wireCall(call) : call))
  const wired = mapped.some((call, i) => call !== calls[i]) ? mapped : calls
  const named = others.reduce((now, key) => withKey(now, key, undefined), message)
  return wired === own && named === message ? message : withKey(named, 'tool_calls', wired)
}

/** A result of the legacy functions API has no id. With one, it answers a call of `tool_calls` under the old role. */
export function wireResult(message: JsonObject): JsonObject {
  const named = withOwnId(message, 'tool_call_id')
  if (message['role'] === 'function' && word(named['tool_call_id']) === undefined) return message
  return withChanged(withOwnOutput(named, 'content'), 'role', 'tool')
}

/** Other names of the list of calls. */
export const OTHER_LISTS = ['toolCalls', 'tool_call', 'toolCall'] as const

/** The function of a call, also from a list of one or from JSON text. */
function functionOf(call: JsonObject): JsonObject | undefined {
  const held = call['function']
  if (isObject(held)) return held
  const read = typeof held === 'string' && held.trimStart().startsWith('{') ? tryParseJson(held) : held
  if (isObject(read)) return read
  if (!Array.isArray(read)) return undefined
  const [one, ...more] = read
  if (isObject(one) && more.length === 0) return one
  // Several or no functions: it is unknown which one was called, so all are kept as arguments.
  return { name: nameOf({ name: isObject(one) ? one['name'] : one }), arguments: textOf({ function: read }) }
}

export function wireCall(call: JsonObject): JsonObject {
  const wired = withOwnId(call, 'id')
  const inner = functionOf(wired)
  if (inner) return withChanged(wired, 'function', withOwnArguments(inner, 'arguments'))
  const name = nameOf(wired)
  if (isObject(wired['custom']) || name === undefined) return wired
  const key = otherArgumentKey(wired, 'arguments') ?? 'arguments'
  const args = wired[key] ?? '{}'
  const rest = [...NAMES, 'type', key].reduce((now, one) => withKey(now, one, undefined), wired)
  return { ...rest, type: 'function', function: { name, arguments: typeof args === 'string' ? args : textOf(args) } }
}

/** Keys of SDKs for the name of a call's tool, if it is a text. */
const NAMES = ['name', 'toolName', 'tool_name', 'functionName', 'function_name', 'function', 'tool'] as const

export function nameOf(call: JsonObject): string | undefined {
  for (const key of NAMES) if (word(call[key]) !== undefined) return call[key] as string
  return undefined
}
