/** Calls of an OpenAI chat message, from and to the shape in which agents store them. */
import { isObject, jsonText } from '../../core/index.ts'
import { fromJson, object, text } from '../json-values.ts'
import { contentText } from './parts.ts'

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
  const value = typeof was === 'string' ? raw : fromJson(raw)
  return { id: text(call, 'id') ?? '', name: text(fn, 'name') ?? '', arguments: isObject(value) ? value : raw }
}

/** The text of a chat message. */
export function chatText(message: unknown): string {
  return contentText(message, '')
}
