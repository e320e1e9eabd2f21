/** A text as the dialect writes a block of it. */
import { type Transcript, valueAt } from '../../core/index.ts'

/** A block of text as this dialect writes one for the user. */
export function textBlock(t: Transcript, text: string): unknown {
  const list = valueAt(t.dialect.textMessage('user', text, [null]), [t.contentKey])
  return Array.isArray(list) ? list[0] : { type: 'text', text }
}
