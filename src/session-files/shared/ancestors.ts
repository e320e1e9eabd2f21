/** From a leaf up to its root, in that order. A circle ends where it closes. */
export function ancestors<T>(leaf: T | undefined, parentOf: (one: T) => T | undefined): Set<T> {
  const path = new Set<T>()
  for (let at = leaf; at !== undefined && !path.has(at); at = parentOf(at)) path.add(at)
  return path
}
