/**
 * Messages with their fields named as on the wire.
 */
import { isObject, type JsonObject, withKey } from '../../core/index.ts'
import { textOf } from '../blocks.ts'
import { otherOutputKey, withOwnArguments, withOwnKey } from '../other-keys.ts'

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
  const camel = message['toolCalls']
  const calls = message['tool_calls'] ?? camel
  if (!Array.isArray(calls)) return message
  const wired = calls.some((call) => wireCall(call) !== call) ? calls.map(wireCall) : calls
  const named = camel === undefined ? message : withKey(message, 'toolCalls', undefined)
  return wired === message['tool_calls'] && named === message ? message : withKey(named, 'tool_calls', wired)
}

function wireCall(call: unknown): unknown {
  if (!isObject(call)) return call
  const wired = wireId(call, 'id', CALL_IDS)
  if (isObject(wired['function'])) {
    const now = withOwnArguments(wired['function'], 'arguments')
    return now === wired['function'] ? wired : withKey(wired, 'function', now)
  }
  if (isObject(wired['custom']) || (wired['name'] ?? wired['toolName']) === undefined) return wired
  const { name, toolName, arguments: text, args, input, parameters, type: _type, ...rest } = wired
  const said = text ?? args ?? input ?? parameters ?? '{}'
  return {
    ...rest,
    type: 'function',
    function: { name: name ?? toolName, arguments: typeof said === 'string' ? said : textOf(said) },
  }
}

function wireId(object: JsonObject, key: string, others: readonly string[]): JsonObject {
  if (object[key] !== undefined) return object
  const other = others.find((one) => one !== key && object[one] !== undefined)
  return other === undefined ? object : withKey(withKey(object, other, undefined), key, object[other])
}
