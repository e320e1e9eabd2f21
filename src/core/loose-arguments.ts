/** What can be made of the arguments of a call that are not the object they should be. */
import { isObject, type JsonObject } from './json.ts'
import { tryParseJson } from './spelling.ts'

export function isAbsent(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'string' && body.trim() === '')
}

/** The object that these arguments were meant to be. Anything else goes under `_raw`. `{}` only if they are empty. */
export function asArguments(body: unknown): JsonObject {
  if (isObject(body)) return body
  if (isAbsent(body)) return {}
  let value: unknown = body
  // Written twice over (a string that holds the text of an object), or fenced as a model fences code.
  for (let depth = 0; depth < 3 && typeof value === 'string'; depth++) {
    const inner = tryParseJson(value) ?? tryParseJson(unfenced(value))
    if (isObject(inner)) return inner
    if (typeof inner !== 'string') break
    value = inner
  }
  return { _raw: body }
}

function unfenced(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed
  return trimmed.slice(trimmed.indexOf('\n') + 1, -3)
}
