/** The record of a revert, and the errors of changes that no longer apply. Writes nothing itself. */
import { isSutureError, SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import { type MessageRow, spansOf } from './message-reader.ts'
import { OpenRound } from './open-round.ts'
import { type MarkBody, UNREADABLE } from './record.ts'

export function revertMark(log: Log, rows: readonly MessageRow[], turn: number, keep: number): MarkBody {
  const spans = spansOf(log.state.line.spans, rows, keep)
  return { mark: 'reverted', turn, keep, spans, tail: openLength(log, rows.slice(0, keep)) }
}

/** Number of messages at the end that are an open round. */
export function openLength(log: Log, rows: readonly MessageRow[]): number {
  const tail = new OpenRound(log.dialect)
  tail.reset(
    rows
      .slice(-500)
      .map((row) => row.message)
      .filter((message) => message !== UNREADABLE),
  )
  return tail.messages.length
}

export function changedSince(upTo: number): SutureError {
  return new SutureError(
    'conflict',
    `The view at position ${upTo} is not known to this session object or has changed since. Call view() again and make the change for that view.`,
    { upTo },
  )
}

/** A patch that does not apply was made for another view. */
export function fitting<T>(make: () => T, upTo: number): T {
  try {
    return make()
  } catch (error) {
    throw isSutureError(error, 'stale-patch') ? changedSince(upTo) : error
  }
}
