/**
 * Reads a Responses list.
 */

import { field, isAbsent, type Json, listAt } from '../json.ts'

/**
 * Calls that need an output, the item that answers them, and the words for them. Other types are not judged
 * (docs/rejections.md#not-seen-responses-calls).
 */
export const KINDS = [
  { call: 'function_call', output: 'function_call_output', words: 'function call' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output', words: 'custom tool call' },
  { call: 'local_shell_call', output: 'local_shell_call_output', words: 'local shell call' },
] as const

export function itemsOf(body: unknown): readonly Json[] {
  return listAt(body, 'input') as readonly Json[]
}

/** An item without a type is a message, or a reference if it has only an id: the type is optional in the schema. */
export function typeOf(item: Json): string {
  if (typeof item.type === 'string') return item.type
  return isBareId(item) ? 'item_reference' : 'message'
}

function isBareId(item: Json): boolean {
  const isOnly = Object.keys(item).every((key) => key === 'id' || (key === 'type' && isAbsent(item.type)))
  return isOnly && typeof item.id === 'string' && item.id !== ''
}

/**
 * The provider holds earlier items: an output may answer a call that is not in the list
 * (docs/rejections.md#accepted-openai-responses).
 */
export function continues(body: unknown): boolean {
  return !isAbsent(field(body, 'previous_response_id')) || !isAbsent(field(body, 'conversation'))
}
