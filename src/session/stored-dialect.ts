/**
 * A session names its dialect in its first record. It is never opened in another one: calls that the view cannot read
 * would be missing, and new messages would not match the old ones.
 */
import { type Dialect, SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import type { NewRecord } from './log-writer.ts'
import { decode } from './record.ts'

/** Adds the dialect to the first record. */
export function named(records: readonly NewRecord[], dialect: Dialect): readonly NewRecord[] {
  const [first, ...rest] = records
  if (!first?.body.startsWith('{"')) return records
  return [{ ...first, body: `{"dialect":${JSON.stringify(dialect.id)},${first.body.slice(1)}` }, ...rest]
}

/** Throws if the session is stored in another dialect. An unreadable first record is reported as damage elsewhere. */
export async function checkDialect(log: Log, provider: string): Promise<void> {
  const [first] = await log.store.read(log.id, 1, 1)
  const stored = first && decode(first.body)?.['dialect']
  if (typeof stored !== 'string' || stored === log.dialect.id) return
  throw new SutureError(
    'unknown-dialect',
    `Session ${log.id} is stored in the dialect ${stored}, but it was opened for ${provider} in ${log.dialect.id}. Open it with a provider that serves ${stored}, or begin a new session with a converted history.`,
    { session: log.id, stored, dialect: log.dialect.id },
  )
}
