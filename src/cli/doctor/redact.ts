/**
 * Messages of findings without content of the conversation: ids are shortened, other values replaced by their length.
 */
import type { Finding } from '../../core/index.ts'

/** `toolu_01ABCDEFGH…` is enough to find it again, and not enough to be a secret. */
export function shortId(text: string): string {
  return text.length > 14 ? `${text.slice(0, 12)}…` : text
}

/** Data of a finding that names structure, not content. */
const STRUCTURE = /^(provider|model|dialect|rule|role|expected|kind|type|mediaType|field|key|path|at|other|round)$/

export function redactMessage(message: string, finding?: Finding | undefined): string {
  let text = message
  for (const [key, value] of Object.entries(finding?.data ?? {})) {
    if (typeof value !== 'string' || value === '' || STRUCTURE.test(key)) continue
    const isId = /^[\w.:|-]+$/.test(value) && !/^[a-z]{1,10}$/i.test(value)
    const short = isId ? shortId(value) : value.length <= 3 ? value : `[${value.length} characters]`
    if (short !== value) text = text.replaceAll(value, short)
  }
  return finding ? text : redactQuoted(text)
}

/** In messages about files, quoted text is a name or an id. */
export function redactQuoted(text: string): string {
  return text
    .replace(
      /"([^"]{15,})"/g,
      (_all, inner: string) => `"${/^[\w.:|-]+$/.test(inner) ? shortId(inner) : `[${inner.length} characters]`}"`,
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}\b/gi, (id) => shortId(id))
    .replace(/\b(toolu|call|msg|req|fc|rs)_[\w-]{12,}/g, (id) => shortId(id))
}
