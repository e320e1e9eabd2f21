/** From a leaf up to its root, in that order. Stops at a circle. `path`: all found so far, `one` included. */
export function ancestors<T>(
  leaf: T | undefined,
  parentOf: (one: T, path: ReadonlySet<T>) => T | undefined,
): ReadonlySet<T> {
  const path = new Set<T>()
  for (let at = leaf; at !== undefined && !path.has(at); at = parentOf(at, path)) path.add(at)
  return path
}
