/**
 * Texts that say nothing, as the law of blank texts sees them.
 */
import { type Bound, type Part, ROLE, type Walk } from '../core/index.ts'

/** Whether this law takes the text for blank. */
export function isBlank({ body, sign, index, value }: Part, { law }: Bound, walk: Walk): boolean {
  if (typeof body !== 'string' || isSaid(body)) return false
  // An empty text may be there for the signature that it carries.
  if (law['empty'] === true && (body !== '' || sign != null)) return false
  const { space } = law
  const one = body === ' ' && index >= 0 && walk.speaker === ROLE.assistant
  if (space !== undefined && one !== (space === 'refused')) return false
  // An empty string in the place of the whole content is no block: that is the rule's for empty messages.
  return body !== '' || index >= 0 || typeof value !== 'string'
}

/** A first letter that is no white space settles it for nearly every text. */
export function isSaid(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first > 32 && first < 128) || text.trim() !== ''
}
