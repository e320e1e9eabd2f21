/** Writes the beginning of a session as a session of its own, under an id that is not in use. */
import { isSutureError, SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import { LogWriter } from './log-writer.ts'
import type { MessageRow } from './message-reader.ts'
import type { Entry } from './store.ts'
import { otherContent, sameRecord } from './stored-operations.ts'
import { forkRecords } from './view-changes.ts'

/** Copies everything before `next`, or all of it, to the session with this id. */
export async function copyTo(
  from: Log,
  next: MessageRow | undefined,
  id: string,
  { op, ...stamp }: { readonly op: string; readonly at?: string },
): Promise<void> {
  const rows = await from.messages.raw(from.state.line)
  const records = await forkRecords(from, next ? rows.indexOf(next) : rows.length, stamp)
  const copy = new LogWriter(from.store, id, from.dialect, records.length + 1)
  const write = { op, expectedHead: 0, make: () => ({ records, exact: true }) }
  const { answer } = await copy.commit(write).catch((error: unknown) => {
    throw isSutureError(error, 'conflict') ? taken(id) : error
  })
  if (!answer.again) return
  const stored = await from.store.read(id, answer.first, answer.last)
  if (!isSame(stored, records, from.id, next === undefined)) throw otherContent(id, op)
}

type Kinds = readonly Pick<Entry, 'kind'>[]

/** A copy of the same session with the same content. `isOpen`: its last turn may have grown between two attempts. */
function isSame(stored: readonly Entry[], records: Kinds, from: string, isOpen: boolean): boolean {
  const count = (list: Kinds) => list.filter(({ kind }) => kind === 'message').length
  const [then, now] = [count(stored), count(records)]
  return sameRecord('mark', { mark: 'forked', from })(stored) && (then === now || (isOpen && then < now))
}

function taken(id: string): SutureError {
  return new SutureError(
    'conflict',
    `A session "${id}" already exists. Nothing was written. Fork to another id, or delete that session first with forget().`,
    { session: id },
  )
}
