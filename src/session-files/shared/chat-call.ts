/**
 * Calls of an OpenAI chat message, from and to the shape in which agents store them.
 */
import { isObject, jsonText } from '../../core/index.ts'
import { object, text } from './values.ts'

export interface StoredCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export function chatCall({ id, name, arguments: args }: StoredCall): unknown {
  return {
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : jsonText(args ?? {}) },
  }
}

/** The call as it is stored, with arguments as the text or the object that they were. */
export function storedCall(call: unknown, was: unknown): StoredCall {
  const fn = object(call, 'function')
  const raw = text(fn, 'arguments') ?? '{}'
  return {
    id: text(call, 'id') ?? '',
    name: text(fn, 'name') ?? '',
    arguments: typeof was === 'string' ? raw : parsedObject(raw),
  }
}

function parsedObject(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw)
    return isObject(value) ? value : raw
  } catch {
    return raw
  }
}

/** The text of a chat message. */
export function chatText(message: unknown): string {
  const content = isObject(message) ? message['content'] : undefined
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => text(part, 'text') ?? '').join('') : ''
}
