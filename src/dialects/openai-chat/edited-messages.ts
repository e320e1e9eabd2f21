/** Edits of messages: joins two neighbors, drops empty lists, and rewrites the legacy functions API. */
import { hash, isObject, type JsonObject, withKey } from '../../core/index.ts'
import { isEmptyList, isNothing, joined, listOf, textBlock, textOf, word } from '../blocks.ts'
import { OTHER_LISTS } from './wire.ts'

/** `function_call` and a `function` message as a call and a `tool` message. The id is made of the name. */
export function modern(message: unknown): unknown {
  if (!isObject(message)) return message
  if (message['role'] === 'function' && word(message['tool_call_id']) === undefined) {
    // A message with calls is the assistant's, with a wrong role.
    if (listOf(message['tool_calls']).length > 0) return { ...message, role: 'assistant' }
    const { name, ...rest } = message
    return { ...rest, role: 'tool', tool_call_id: hash(`function ${textOf(name)}`) }
  }
  const { function_call: call, ...rest } = message
  if (!isObject(call)) return message
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
  // These keys are read only in messages of the assistant.
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

/** An empty list is not blank: contents joined to it become a list. */
function isBlank(content: unknown): boolean {
  return content === undefined || content === null || content === ''
}
