/** Texts with nothing in them, as providers see them. */
import type { Part, Transcript } from '../../core/index.ts'

export interface TextBlank {
  /** Only an empty text is rejected, whitespace is not. */
  readonly empty?: boolean
  /** `accepted`: an assistant's text of one space passes. `rejected`: this constraint is about that alone. */
  readonly space?: 'accepted' | 'rejected'
}

export function isBlankText(
  t: Transcript,
  { body, signature, index, value, message }: Part,
  { empty, space }: TextBlank,
): boolean {
  if (typeof body !== 'string' || hasVisible(body)) return false
  // An empty text may be there for the signature that it carries.
  if (empty && (body !== '' || signature != null)) return false
  const isOneSpace = body === ' ' && index >= 0 && t.isAssistant(message)
  if (space !== undefined && isOneSpace !== (space === 'rejected')) return false
  // An empty string in the place of the whole content is not a block: that is an empty message.
  return body !== '' || index >= 0 || typeof value !== 'string'
}

/** A first letter that is not whitespace decides nearly every text. */
function hasVisible(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first > 32 && first < 128) || text.trim() !== ''
}
