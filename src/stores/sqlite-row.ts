/**
 * What SQLite gives, made plain. Damage can change the type of a value as well as what it says.
 */
import type { Head } from '../session/index.ts'

/** A row without its driver's prototype. */
export function plain(row: unknown): object {
  const values = { ...(row as Record<string, unknown>) }
  for (const key in values) values[key] = worded(values[key])
  return values
}

/** The head in a row; none when it cannot be one: a turned bit can pass another place off as it. */
export function headIn(row: unknown): Head | undefined {
  const { head, snapshot, epoch, ...rest } = row as Head
  const [hash, owner] = [worded(rest.hash), worded(rest.owner)]
  return typeof hash === 'string' && head >= 0 ? { head, hash, snapshot, epoch, owner } : undefined
}

/** One turned bit makes bytes of a text: they still say the same. */
function worded<T>(value: T): T {
  return value instanceof Uint8Array ? (Buffer.from(value).toString() as T) : value
}
