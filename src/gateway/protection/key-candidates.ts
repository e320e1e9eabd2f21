/** Finds substrings of a header, path or query that may be a key. Whether one is a key is decided by its hash. */

/** A shorter word inside a value is not a key. */
const SHORTEST = 8
const BETWEEN = /[\s,;="':/?&]+/
const SCHEME = /^[\w-]+\s+/

/** Parts of a value that may be a key: the value with and without its scheme, and each word; also decoded. */
export function partsOf(value: string): readonly string[] {
  const parts = new Set([value, value.replace(SCHEME, '')])
  addWords(parts, value)
  if (value.includes('%')) addWords(parts, decoded(value))
  const [, packed] = /^basic\s+(\S+)/i.exec(value) ?? []
  if (packed !== undefined) addWords(parts, Buffer.from(packed, 'base64').toString('latin1'))
  return [...parts]
}

/** The pairs of a query as they are written, without the question mark. */
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
