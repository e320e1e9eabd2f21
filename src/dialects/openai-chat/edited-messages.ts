/**
 * Messages after an edit: two neighbors joined, empty lists dropped, and the legacy functions API in its current form.
 */
import { hash, isObject, type JsonObject, withKey } from '../../core/index.ts'
import { isEmptyList, isNothing, joined, listOf, textBlock, textOf, word } from '../blocks.ts'
import { OTHER_LISTS, RESULT_IDS } from './wire.ts'

/** `function_call` and a `function` message as the call and the `tool` message that replaced them; the id comes from the name alone. */
export function modern(message: unknown): unknown {
  if (!isObject(message)) return message
  if (message['role'] === 'function' && RESULT_IDS.every((key) => word(message[key]) === undefined)) {
    // With calls of its own it is the assistant's message under a wrong role.
    if (listOf(message['tool_calls']).length > 0) return { ...message, role: 'assistant' }
    const { name, ...rest } = message
    return { ...rest, role: 'tool', tool_call_id: hash(`function ${textOf(name)}`) }
  }
  if (!isObject(message['function_call'])) return message
  const { function_call: call, ...rest } = message as { readonly function_call: JsonObject }
  const added = { id: hash(`function ${textOf(call['name'])}`), type: 'function', function: call }
  return { ...rest, tool_calls: [...listOf(message['tool_calls']), added] }
}

export function cleanUp(message: unknown): unknown {
  if (!isObject(message)) return message
  let tidied = message
  for (const key of ['tool_calls', ...OTHER_LISTS]) {
    if (isEmptyList(tidied[key])) tidied = withKey(tidied, key, undefined)
  }
  const { content } = tidied as { content?: unknown }
  if (!isNothing(content) || tidied['role'] === 'tool' || tidied['role'] === 'function') return tidied
  // Under these keys only the assistant's calls are read.
  const odd =
    tidied['role'] === 'assistant' &&
    (OTHER_LISTS.some((key) => Array.isArray(tidied[key])) || isObject(tidied['function_call']))
  if (tidied['tool_calls'] || odd || tidied['refusal'] || tidied['audio']) {
    return Array.isArray(content) ? withKey(tidied, 'content', '') : tidied
  }
  return undefined
}

export function mergeMessages(first: JsonObject, second: JsonObject): JsonObject {
  let merged = withKey(first, 'content', joined(first['content'], second['content'], textBlock, isBlank))
  for (const key of ['tool_calls', ...OTHER_LISTS]) {
    if (Array.isArray(second[key]))
      merged = withKey(merged, key, [...listOf(first[key]), ...(second[key] as unknown[])])
  }
  for (const key of Object.keys(second)) if (!Object.hasOwn(merged, key)) merged = withKey(merged, key, second[key])
  return merged
}

/** An empty list is a list still: what is joined to it becomes one. */
function isBlank(content: unknown): boolean {
  return content === undefined || content === null || content === ''
}
