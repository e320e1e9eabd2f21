/**
 * Begins a session as a branch: it shares the log of another one, and a mark of its own says how many messages stay.
 */
import { isSutureError, SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import { type MessageRow, spansOf } from './message-reader.ts'
import { encode, type MarkBody } from './record.ts'
import { digestOf } from './store.ts'
import { named } from './stored-dialect.ts'
import { otherContent, sameRecord } from './stored-operations.ts'
import { openLength } from './view-changes.ts'

/** What a branch takes over. `next`: the message after the last one that stays; none: all of them stay. */
export interface Fork {
  readonly turn?: number
  readonly next?: MessageRow | undefined
  /** Nothing is shared: the session only belongs to the other one. */
  readonly empty?: boolean
}

export async function forkTo(
  from: Log,
  { turn, next, empty }: Fork,
  id: string,
  { op, ...stamp }: { readonly op: string; readonly at?: string },
): Promise<void> {
  const { line } = from.state
  const rows = empty ? [] : await from.messages.raw(line)
  const keep = next ? rows.indexOf(next) : rows.length
  const cut = { keep, spans: spansOf(line.spans, rows, keep), tail: openLength(from, rows.slice(0, keep)) }
  const mark: MarkBody = { mark: 'forked', from: from.id, turn, ...cut, ...stamp }
  const [record] = empty ? named([{ kind: 'mark', body: encode(mark) }], from.dialect) : [{ body: encode(mark) }]
  const { body } = record!
  const drafts = [{ kind: 'mark' as const, body, digest: digestOf(op, 'mark', body, from.sha256) }]
  const base = { session: from.id, head: empty ? 0 : from.head }
  const answer = await from.store.append(id, { op, drafts, expectedHead: 0, base }).catch((error: unknown) => {
    throw isSutureError(error, 'conflict') ? taken(id) : error
  })
  if (!answer.again) return
  const same = sameRecord('mark', { mark: 'forked', from: from.id, turn })
  if (!same(await from.store.read(id, answer.first, answer.last))) throw otherContent(id, op)
}

function taken(id: string): SutureError {
  return new SutureError(
    'conflict',
    `A session "${id}" already exists. Nothing was written. Fork to another id, or delete that session first with forget().`,
    { session: id },
  )
}
