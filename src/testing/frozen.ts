/** Deep-frozen values: an edit in place throws. Iterative, since histories may be nested deeply. */
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
