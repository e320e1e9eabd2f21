/**
 * The places inside a header, a path or a query where a key may stand. Finds candidates only: whether one is a key, its hash says.
 */

/** A shorter word inside a value is no key. */
const SHORTEST = 8
const BETWEEN = /[\s,;="':/?&]+/
const SCHEME = /^[\w-]+\s+/

/** All of a value that could be a key: the whole of it, without its scheme, and each word; decoded, too. */
export function partsOf(value: string): readonly string[] {
  const parts = new Set([value, value.replace(SCHEME, '')])
  addWords(parts, value)
  if (value.includes('%')) addWords(parts, decoded(value))
  const [, packed] = /^basic\s+(\S+)/i.exec(value) ?? []
  if (packed !== undefined) addWords(parts, Buffer.from(packed, 'base64').toString('latin1'))
  return [...parts]
}

/** The pairs of a query as they stand there, without its question mark. */
export function queryPairs(query: string): readonly string[] {
  return query.length < 2 ? [] : query.slice(1).split('&')
}

function addWords(parts: Set<string>, value: string): void {
  for (const word of value.split(BETWEEN)) if (word.length >= SHORTEST) parts.add(word)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}
