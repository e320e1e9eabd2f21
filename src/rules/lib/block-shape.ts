/**
 * Corrects messages and blocks of a wrong type: a string where an object belongs, an object where a list belongs.
 * Anything else is kept as text.
 */
import {
  isObject,
  type JsonObject,
  looseText,
  own,
  type Part,
  type Step,
  type Transcript,
  tryJsonText,
  tryParseJson,
  withKey,
  wordOf,
} from '../../core/index.ts'
import { textBlock } from './text-block.ts'

export function isTyped(block: unknown): boolean {
  const type = own(block, 'type')
  return typeof type === 'string' && (type !== 'text' || typeof own(block, 'text') === 'string')
}

export function typedBlock(t: Transcript, block: unknown): unknown {
  if (isTyped(block)) return block
  const text = own(block, 'text')
  const isText = own(block, 'type') === 'text' || (own(block, 'type') === undefined && typeof text === 'string')
  return textBlock(t, isText || !isObject(block) ? looseText(text ?? block) : (tryJsonText(block) ?? ''))
}

/** A block on its own becomes a list of one. */
export function asContent(t: Transcript, message: number, content: unknown, list: boolean): unknown {
  const value = isObject(content) ? ofObject(content, t.role(message) === 'tool') : wordOf(content)
  return list && typeof value === 'string' ? [textBlock(t, value)] : value
}

function ofObject(content: JsonObject, isResult: boolean): unknown {
  if (typeof content['type'] === 'string') return [content]
  if (typeof content['text'] === 'string') return content['text']
  // `{}` can be the result of a tool. In other messages it is empty content.
  return Object.keys(content).length === 0 && !isResult ? '' : tryJsonText(content)
}

/** Replaces an entry that is not a block by its text. Removes it if it has none, or is in a list of calls. */
export function asBlock(t: Transcript, part: Part, inContent: boolean): Step {
  const text = inContent ? looseText(part.value) : ''
  return text.trim() === '' ? { do: 'remove', part } : { do: 'replace', part, value: textBlock(t, text) }
}

/** A list of calls that was stored as a single call, or as the JSON text of the list. */
export function asCalls(value: unknown): readonly unknown[] | undefined {
  const read = typeof value === 'string' ? tryParseJson(value) : value
  if (Array.isArray(read)) return read
  return isObject(read) && Object.keys(read).length > 0 ? [read] : undefined
}

/** Replaces an entry by the one call that it contains, in a list or as JSON text. Removes any other non-call. */
export function asCallEntry(part: Part): Step {
  const [call, ...more] = asCalls(part.value) ?? []
  return isObject(call) && more.length === 0 ? { do: 'replace', part, value: call } : { do: 'remove', part }
}

/** Takes the object of a part out of a list of one, or out of JSON text. Anything else is kept as text. */
export function asObjectPart(t: Transcript, part: Part): Step {
  const held = own(part.value, part.type)
  const read = typeof held === 'string' ? tryParseJson(held) : held
  const inner = Array.isArray(read) && read.length === 1 ? read[0] : read
  if (isObject(inner)) return { do: 'replace', part, value: withKey(part.value as JsonObject, part.type, inner) }
  const text = looseText(held)
  return text.trim() === '' ? { do: 'remove', part } : { do: 'replace', part, value: textBlock(t, text) }
}

/** A user message with the text or the JSON of the value; undefined if it is empty. */
export function asMessage(t: Transcript, value: unknown): unknown {
  const isEmpty = value == null || (isObject(value) && Object.keys(value).length === 0)
  // An object that is no message may hold the only copy of something: it is kept as JSON.
  const text = typeof value === 'string' ? value : isEmpty ? '' : (tryJsonText(value) ?? '')
  return text.trim() === '' ? undefined : t.dialect.textMessage('user', text)
}
