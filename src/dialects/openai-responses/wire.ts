/**
 * Items with their fields as on the wire: restores a lost type, and moves ids, arguments and outputs from other keys.
 */
import { isObject, type JsonObject, own, withKey } from '../../core/index.ts'
import { textOf, word } from '../blocks.ts'
import { otherIdKey, withOwnArguments, withOwnId, withOwnKey, withOwnOutput } from '../other-keys.ts'
import { type CallKind, kindOf } from './items.ts'

/** The item with its fields named as on the wire. An output without a type has the kind of its call in the history. */
export function wire(item: unknown, history: readonly unknown[]): unknown {
  if (!isObject(item)) return item
  const lost = word(item['type']) === undefined ? lostType(item) : undefined
  const typed = lost === undefined ? item : withKey(item, 'type', typeInHistory(item, lost, history))
  const kind = kindOf(word(typed['type']))
  return kind ? wireHalf(typed, kind) : item
}

/**
 * A call or an output with its fields named as on the wire. A local shell's output may have the call's id under `id`.
 */
export function wireHalf(item: JsonObject, kind: CallKind): JsonObject {
  const typed = word(item['type']) === undefined ? withKey(item, 'type', lostType(item)) : item
  const moved = typed['type'] === kind.call ? withMovedArguments(typed, kind) : withMovedOutput(typed, kind)
  if (isOldShell(moved) && moved['id'] !== undefined) return withOwnKey(moved, 'call_id', 'id')
  return withOwnId(moved, 'call_id')
}

/** Built-in tools have keys of their own for their output. */
function withMovedOutput(item: JsonObject, { output }: CallKind): JsonObject {
  const isFunction = output === 'function_call_output' || output === 'custom_tool_call_output'
  return isFunction ? withOwnOutput(item, 'output') : item
}

/**
 * The published type of this output has the call's id under `id`; the service reads `call_id`
 * (openai/openai-agents-python#1855).
 */
export function isOldShell(item: JsonObject): boolean {
  return item['type'] === 'local_shell_call_output' && !item['call_id'] && otherIdKey(item, 'call_id') === undefined
}

/** A call or an output without a type is recognized by its keys. */
export function lostType(item: JsonObject): string | undefined {
  if (item['role'] !== undefined || item['type'] === '') return undefined
  if (word(item['call_id']) === undefined && otherIdKey(item, 'call_id') === undefined) return undefined
  if (Array.isArray(item['tools'])) return 'tool_search_output'
  if (item['output'] !== undefined) return 'function_call_output'
  return word(item['name']) !== undefined ? 'function_call' : undefined
}

/** Types of outputs by the id of their call, read once for a history that has an output without a type. */
const callTypes = new WeakMap<readonly unknown[], ReadonlyMap<unknown, string>>()

/** The type of a call or output whose type is lost: an output has the kind of its call. */
function typeInHistory(item: JsonObject, type: string, history: readonly unknown[]): string {
  if (type === 'function_call') return item['input'] !== undefined ? 'custom_tool_call' : type
  let types = callTypes.get(history)
  if (!types) {
    types = new Map(
      history.flatMap((one) => {
        const kind = kindOf(word(own(one, 'type')))
        return kind?.call === own(one, 'type') && kind ? [[own(one, 'call_id'), kind.output] as const] : []
      }),
    )
    callTypes.set(history, types)
  }
  return types.get(item[otherIdKey(item, 'call_id') ?? 'call_id']) ?? type
}

/** The item with its arguments under their own key; those of a function are text. */
function withMovedArguments(item: JsonObject, { call, args }: CallKind): JsonObject {
  const moved = withOwnArguments(item, args)
  if (moved === item || call !== 'function_call' || !isObject(moved[args])) return moved
  return withKey(moved, args, textOf(moved[args]))
}
