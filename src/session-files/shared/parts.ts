/** Parts of stored messages: those of a type, and their texts. */
import { own } from '../../core/index.ts'
import { listIn, textIn } from '../json-values.ts'

export function ofType(parts: readonly unknown[], type: string): readonly unknown[] {
  return parts.filter((part) => own(part, 'type') === type)
}

/** The text of each part; empty for a part without text. */
export function textsOf(parts: readonly unknown[], key = 'text'): readonly string[] {
  return parts.map((part) => textIn(part, key) ?? '')
}

/** The content of a message: a text as it is, the texts of a list joined. */
export function contentText(message: unknown, separator = '\n'): string {
  return textIn(message, 'content') ?? textsOf(listIn(message, 'content')).join(separator)
}
