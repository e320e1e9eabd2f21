/**
 * Deep-frozen values: an edit in place throws where it happens. Walks with a stack, as histories may be nested deep.
 */
export function frozen<T>(value: T): T {
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const key of Reflect.ownKeys(next)) stack.push(Reflect.get(next, key))
  }
  return value
}
