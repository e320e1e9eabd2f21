/**
 * A text as the dialect writes a block of it, and any value as text.
 */
import { jsonText, type Transcript, valueAt } from '../../core/index.ts'

/** A block of text as this dialect writes one for the user. */
export function textBlock(t: Transcript, text: string): unknown {
  const list = valueAt(t.dialect.textMessage('user', text, [null]), [t.contentKey])
  return Array.isArray(list) ? list[0] : { type: 'text', text }
}

/** JSON of a value; undefined if it is nested too deep or holds itself. */
export function toText(value: unknown): string | undefined {
  try {
    return jsonText(value)
  } catch {
    return undefined
  }
}
