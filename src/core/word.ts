/**
 * Any value as text, for a role, a type or an id. Unlike `String` it never throws: JSON may have an object whose
 * `toString` is not a function, and lists that are nested deeper than the stack.
 */
export function wordOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return '[object]'
  }
}
