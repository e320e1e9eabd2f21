/** Two LangChain messages as one, in the form of the first. */
import { isObject, type JsonObject, own, withKey } from '../../core/index.ts'
import { joined, listOf, textOf } from '../blocks.ts'
import { fieldsOf, formOf, withFields } from './forms.ts'

export function mergeMessages(first: unknown, second: unknown): JsonObject {
  return merge(asObject(first), asObject(second))
}

function merge(first: JsonObject, second: JsonObject): JsonObject {
  const form = formOf(first)
  const before = fieldsOf(first, form)
  const after = fieldsOf(second, formOf(second))
  const fields: Record<string, unknown> = { content: joined(before['content'], after['content']) ?? '' }
  for (const key of ['tool_calls', 'invalid_tool_calls']) {
    if (Array.isArray(after[key])) fields[key] = [...listOf(before[key]), ...(after[key] as unknown[])]
  }
  const raw = own(after['additional_kwargs'], 'tool_calls')
  if (Array.isArray(raw)) {
    const kwargs = isObject(before['additional_kwargs']) ? before['additional_kwargs'] : {}
    fields['additional_kwargs'] = withKey(kwargs, 'tool_calls', [...listOf(kwargs['tool_calls']), ...raw])
  }
  return withFields(first, form, fields)
}

function asObject(message: unknown): JsonObject {
  if (isObject(message)) return message
  if (!Array.isArray(message)) return { role: 'user', content: textOf(message) }
  return { role: message[0], content: message[1] }
}
