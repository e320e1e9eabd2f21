/** Reads rows of SQLite defensively: damage can change the type of a value as well as its content. */
import type { Head } from '../session/index.ts'

/** A row without its driver's prototype. */
export function plain(row: unknown): object {
  const values = { ...(row as Record<string, unknown>) }
  for (const key in values) values[key] = worded(values[key])
  return values
}

/** The head in a row; undefined if it cannot be one: a flipped bit can make another position look like the head. */
export function headIn(row: unknown): Head | undefined {
  const { head, snapshot, epoch, ...rest } = row as Head
  const [hash, owner] = [worded(rest.hash), worded(rest.owner)]
  return typeof hash === 'string' && head >= 0 ? { head, hash, snapshot, epoch, owner } : undefined
}

/** A flipped bit can turn a text into a blob: its bytes are still the text. */
function worded<T>(value: T): T {
  return value instanceof Uint8Array ? (Buffer.from(value).toString() as T) : value
}
