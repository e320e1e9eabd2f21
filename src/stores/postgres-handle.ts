/** What the PostgreSQL store needs of a handle: one statement at a time, by name where the handle can. */
import { APPEND_MANY, APPEND_ONE } from './postgres-sql.ts'
import { codeOf } from './store-errors.ts'

/** The methods that a handle must have; a `pg` Pool or Client and PGlite have them. */
export interface PostgresHandle {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  end?(): Promise<unknown>
  close?(): Promise<unknown>
}

export type Row = Readonly<Record<string, unknown>>

export function isHandle(value: unknown): string | undefined {
  const isOne = typeof (value as PostgresHandle | undefined)?.query === 'function'
  return isOne ? undefined : 'a handle with `query`'
}

/** `byName`: the server parses a statement once for a connection. */
export async function query(
  handle: PostgresHandle,
  byName: boolean,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const { rows } = byName
    ? await (handle.query as unknown as Prepared).call(handle, { name: nameOf(text), text, values })
    : await handle.query(text, values)
  return rows as readonly Row[]
}

type Prepared = (statement: {
  name: string
  text: string
  values: unknown[]
}) => Promise<{ readonly rows: readonly unknown[] }>

/** A Pool or a Client: other handles take only a text and values. */
export function isPg(handle: PostgresHandle): boolean {
  return 'totalCount' in handle || 'connectionParameters' in handle
}

const names = new Map<string, string>([
  [APPEND_ONE, 'suture_append_one'],
  [APPEND_MANY, 'suture_append_many'],
])

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = `suture_${names.size}`
    names.set(text, name)
  }
  return name
}

/** The server rejected the statement, or was never reached. If the connection broke, the outcome is unknown. */
export function isServerError(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'].includes(code)) return true
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code)
}
