/**
 * Finds the dialect in which a session is stored: the first record names it; in older logs, calls and results that only another dialect
 * reads tell it. A session is never opened in another dialect: calls that the view cannot read would be missing, and new messages would
 * not match the old ones.
 */
import { type Dialect, readMessage, SutureError } from '../core/index.ts'
import type { Log, NewRecord } from './log.ts'
import { decode } from './record.ts'
import type { Entry } from './store.ts'

/** Number of records of an older log that are checked. */
const LOOKED_AT = 64

/** Adds the dialect to the first record. */
export function named(records: readonly NewRecord[], dialect: Dialect): readonly NewRecord[] {
  const [first, ...rest] = records
  if (!first?.body.startsWith('{"')) return records
  return [{ ...first, body: `{"dialect":${JSON.stringify(dialect.id)},${first.body.slice(1)}` }, ...rest]
}

/** Throws if the session is stored in another dialect. `others`: dialects that an older log may be in. */
export async function checkDialect(log: Log, provider: string, others: readonly Dialect[]): Promise<void> {
  const [first] = await log.store.read(log.id, 1, 1)
  const dialect = first && decode(first.body)?.['dialect']
  const stored = typeof dialect === 'string' ? dialect : await found(log, others)
  if (stored === undefined || stored === log.dialect.id) return
  throw new SutureError(
    'unknown-dialect',
    `Session ${log.id} is stored in the dialect ${stored}, but it was opened for ${provider} in ${log.dialect.id}. Open it with a provider that serves ${stored}, or begin a new session with a converted history.`,
    { session: log.id, stored, dialect: log.dialect.id },
  )
}

/** The dialect that reads calls and results in messages where the session's own reads none. */
async function found(log: Log, others: readonly Dialect[]): Promise<string | undefined> {
  if (others.length === 0) return undefined
  const messages = (await log.store.read(log.id, 1, LOOKED_AT)).flatMap(messageIn)
  const unread = messages.filter((message) => tools(log.dialect, message) === 0)
  // A message that the session's own dialect can read proves that the session is in it.
  if (messages.some((message) => tools(log.dialect, message) > 0)) return undefined
  return others.find((dialect) => unread.some((message) => tools(dialect, message) > 0))?.id
}

function messageIn({ kind, body }: Entry): readonly unknown[] {
  const message = kind === 'message' ? decode(body)?.['message'] : undefined
  return message === undefined ? [] : [message]
}

function tools(dialect: Dialect, message: unknown): number {
  return readMessage(message, dialect).parts.filter(({ kind }) => kind === 'call' || kind === 'result').length
}
