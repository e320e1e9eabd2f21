/**
 * Messages and blocks of a wrong kind, as the ones they were meant to be. What cannot be told is kept as the text of what it was.
 */
import { isObject, type JsonObject, own, type Part, type Step, type Transcript } from '../../core/index.ts'
import { textBlock, toText } from './content.ts'

export function isTyped(block: unknown): boolean {
  const type = own(block, 'type')
  return typeof type === 'string' && (type !== 'text' || typeof own(block, 'text') === 'string')
}

export function typedBlock(t: Transcript, block: unknown): unknown {
  if (isTyped(block)) return block
  const text = own(block, 'text')
  const isText = own(block, 'type') === 'text' || (own(block, 'type') === undefined && typeof text === 'string')
  const value = isText ? text : block
  if (value === undefined || value === null) return textBlock(t, '')
  return textBlock(t, typeof value === 'object' ? (toText(value) ?? '') : String(value))
}

/** A block on its own becomes a list of one. */
export function asContent(t: Transcript, message: number, content: unknown, list: boolean): unknown {
  const value = isObject(content) ? ofObject(content, t.role(message) === 'tool') : String(content)
  return list && typeof value === 'string' ? [textBlock(t, value)] : value
}

function ofObject(content: JsonObject, isResult: boolean): unknown {
  if (typeof content['type'] === 'string') return [content]
  if (typeof content['text'] === 'string') return content['text']
  // An empty object is the answer of a tool, and nothing that anyone else said.
  return Object.keys(content).length === 0 && !isResult ? '' : toText(content)
}

/** Text is kept; null and the like say nothing, and a list of calls has no place for text. */
export function asBlock(t: Transcript, part: Part, inContent: boolean): Step {
  const isText = typeof part.value === 'string' && part.value.trim() !== '' && inContent
  return isText ? { do: 'replace', part, value: textBlock(t, part.value as string) } : { do: 'remove', part }
}

/** Undefined: there was nothing in it. */
export function asMessage(t: Transcript, value: unknown): unknown {
  const text = typeof value === 'string' ? value : value == null || isObject(value) ? '' : (toText(value) ?? '')
  return text.trim() === '' ? undefined : t.dialect.say('user', text)
}
