/** Texts of bounded size for rows: at most 72 lines and 8 kB of any message. */
import { isObject, wordOf } from '../../core/index.ts'

const LINES = 72
const CHARACTERS = 8_000
/** Lines are cut at this length: one long line of JSON costs as much to lay out as many short ones. */
const LINE = 2_000

export interface Preview {
  readonly text: string
  readonly more: number
}

export function preview(text: string): Preview {
  const end = endOf(text)
  return { text: (end < text.length ? text.slice(0, end) : text).toWellFormed(), more: text.length - end }
}

function endOf(text: string): number {
  let end = 0
  for (let line = 0; line < LINES && end < text.length; line++) {
    const next = text.indexOf('\n', end)
    const stop = next < 0 ? text.length : next
    if (stop - end > LINE) return Math.min(CHARACTERS, end + LINE)
    if (stop >= CHARACTERS) return CHARACTERS
    end = next < 0 ? stop : next + 1
  }
  return end
}

/** A value as a person reads it: a text as it is, several text blocks below each other, everything else as JSON. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.length > 0 && value.every(isTextBlock))
    return value.map((block) => block.text).join('\n')
  return json(value)
}

/** JSON inside a text, as arguments of calls are, is indented. */
export function readableJson(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '' : json(value)
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? json(parsed) : value
  } catch {
    return value
  }
}

export function json(value: unknown): string {
  try {
    return JSON.stringify(value, shortened, 2) ?? wordOf(value)
  } catch {
    return wordOf(value)
  }
}

function shortened(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `(${value.length} bytes)` : value
}

function isTextBlock(block: unknown): block is { readonly text: string } {
  return (
    isObject(block) &&
    typeof block['text'] === 'string' &&
    (block['type'] === undefined || block['type'] === 'text' || wordOf(block['type']).endsWith('_text'))
  )
}
