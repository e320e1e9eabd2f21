/** The format of an image by its first bytes, read from its base64 text. */
import { byteAt } from './pixels.ts'

const FORMATS: readonly (readonly [start: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
]

/** A page, a drawing as text, or an error in the place of an image. */
const TEXTS = /^(?:<[!?]|<[a-z]{3}|\{\s{0,3}")/i

/** The media type; `text` if it is no image at all; undefined: not known. */
export function imageFormat(text: string, from: number): string | undefined {
  const known = FORMATS.find(([start]) => text.startsWith(start, from))
  if (known) return known[1]
  if (text.startsWith('UklGR', from) && text.startsWith('XRUJQ', from + 11)) return 'image/webp'
  const head = String.fromCharCode(...[0, 1, 2, 3, 4].map((i) => byteAt(text, from, i)))
  return TEXTS.test(head) ? 'text' : undefined
}
