/** The text in a value of no known shape, so that content in a wrong place or form is kept and not dropped. */

import type { NativeMedia } from './dialect.ts'
import { isObject, own } from './json.ts'
import { tryJsonText } from './spelling.ts'

/** Keys that hold the text of a block, and keys beside it that say nothing more. */
const TEXT = ['text', 'content', 'value', 'parts']
const BESIDE = ['type', 'annotations', 'citations', 'cache_control', 'id', 'index']
const MAX_DEPTH = 8

/** Texts joined by line breaks; what is more than text is written as JSON. Empty: there is nothing in it. */
export function looseText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  if (depth < MAX_DEPTH && Array.isArray(value))
    return value
      .map((one) => looseText(one, depth + 1))
      .filter((text) => text !== '')
      .join('\n')
  if (depth >= MAX_DEPTH || !isObject(value)) return tryJsonText(value) ?? ''
  const [key, ...more] = Object.keys(value).filter((one) => !BESIDE.includes(one))
  if (key === undefined) return ''
  return more.length === 0 && TEXT.includes(key) ? looseText(value[key], depth + 1) : (tryJsonText(value) ?? '')
}

/** Text of a part of an unknown type. `onlyText`: undefined for an object without a text of its own. */
export function textIn(value: unknown, onlyText: boolean): string | undefined {
  const text = own(value, 'text')
  if (typeof text === 'string' && text !== '') return text
  return onlyText && isObject(value) ? undefined : looseText(value) || undefined
}

/** The words in a block that is no media; empty for media. */
export function wordsIn(block: unknown, media: NativeMedia | undefined): string {
  return media?.kindOf(block) || media?.base64In(block) ? '' : looseText(block)
}

/** A part that has nothing but a type, such as a mark between two steps. */
export function isMark(value: unknown, depth = 0): boolean {
  if (!isObject(value) || depth > MAX_DEPTH) return false
  return Object.entries(value).every(([key, inner]) => key === 'type' || isMark(inner, depth + 1))
}
