/**
 * In which dialect a session is stored. The first record of a log says it; of logs from before that, calls and results that only another dialect reads.
 * A session is never opened in another one: calls that the view cannot see would be lost to the provider, and new messages would not fit the old.
 */
import { type Dialect, readMessage, SutureError } from '../core/index.ts'
import type { Log, NewRecord } from './log.ts'
import { decode } from './record.ts'
import type { Entry } from './store.ts'

/** So many records of an older log are looked at. */
const LOOKED_AT = 64

/** The first record with the dialect in it. */
export function named(records: readonly NewRecord[], dialect: Dialect): readonly NewRecord[] {
  const [first, ...rest] = records
  if (!first?.body.startsWith('{"')) return records
  return [{ ...first, body: `{"dialect":${JSON.stringify(dialect.id)},${first.body.slice(1)}` }, ...rest]
}

/** Throws where the session is stored in another dialect. `others`: dialects that an older log may be in. */
export async function checkDialect(log: Log, provider: string, others: readonly Dialect[]): Promise<void> {
  const [first] = await log.store.read(log.id, 1, 1)
  const dialect = first && decode(first.body)?.['dialect']
  const stored = typeof dialect === 'string' ? dialect : await found(log, others)
  if (stored === undefined || stored === log.dialect.id) return
  throw new SutureError(
    'unknown-dialect',
    `Session ${log.id} is stored in the dialect ${stored}, but ${provider} was asked for in ${log.dialect.id}. Open it with a provider that serves ${stored}, or begin a new session with a converted history.`,
    { session: log.id, stored, dialect: log.dialect.id },
  )
}

/** The dialect that reads calls and results in messages where the session's own reads none. */
async function found(log: Log, others: readonly Dialect[]): Promise<string | undefined> {
  if (others.length === 0) return undefined
  const messages = (await log.store.read(log.id, 1, LOOKED_AT)).flatMap(messageIn)
  const unread = messages.filter((message) => tools(log.dialect, message) === 0)
  // A message that its own dialect reads says that the session is in it.
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
