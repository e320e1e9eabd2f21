/** Pages of a conversation: whole turns, from either end, of one state of the log, whatever is appended meanwhile. */
import { type Dialect, type Group, SutureError, split, turns } from '../core/index.ts'
import { checkValue, given, type OptionTable } from '../core/options.ts'
import type { MessageRow } from './message-reader.ts'
import { isTurn } from './session-options.ts'

/** Which page to read. */
export interface PageOptions {
  readonly from?: 'newest' | 'oldest'
  /** At least this many messages, if there are as many: a turn is never cut. */
  readonly size?: number
  /** The cursor of the previous page. */
  readonly cursor?: string
}

/** Size and cursor are checked below. */
export const PAGE_OPTIONS: OptionTable<PageOptions> = { from: ['newest', 'oldest'], size: 'any', cursor: 'string' }

/** One page of the messages of a session. */
export interface Page<Message = unknown> {
  /** Oldest first, in either direction. */
  readonly messages: readonly Message[]
  /** Positions of the messages in the log. */
  readonly positions: readonly number[]
  /** The cursor of the next page; absent: this was the last. */
  readonly cursor?: string
}

interface Place {
  readonly from: 'newest' | 'oldest'
  /** The state that is paged through: this many messages, on the line after this record. */
  readonly count: number
  readonly line: number
  readonly at: number
}

/** `line`: the latest record that changed the line other than by appending. */
export function pageOf(rows: readonly MessageRow[], dialect: Dialect, line: number, options: PageOptions): Page {
  const { size = 50, from = 'newest' } = options
  const count = rows.length
  if (!(Number.isSafeInteger(size) && size >= 1))
    throw new SutureError('bad-option', `The size of a page must be an integer from 1, but got ${given(size)}.`, {
      size,
    })
  const place =
    options.cursor === undefined ? { from, count, line, at: from === 'newest' ? count : 0 } : placeOf(options.cursor)
  if (place.line !== line || place.count > count) {
    throw new SutureError(
      'stale-cursor',
      'The session was reverted after this page was read. Begin again without a cursor.',
      { cursor: options.cursor },
    )
  }
  const snapshot = rows.slice(0, place.count)
  const [start, end] =
    place.from === 'newest' ? newest(snapshot, dialect, place.at, size) : oldest(snapshot, dialect, place.at, size)
  const page = snapshot.slice(start, end)
  const next = place.from === 'newest' ? start : end
  const done = place.from === 'newest' ? next === 0 : next === place.count
  return {
    messages: messagesOf(page),
    positions: page.map((row) => row.seq),
    ...(done ? {} : { cursor: [place.from, place.line, place.count, next].join('.') }),
  }
}

function placeOf(cursor: string): Place {
  const [, from, line, count, at] = /^(newest|oldest)\.(\d+)\.(\d+)\.(\d+)$/.exec(cursor) ?? []
  if (from === undefined)
    throw new SutureError(
      'bad-option',
      'This is not a cursor of a page. Pass the one that the previous page returned.',
      { cursor },
    )
  return { from: from as Place['from'], line: Number(line), count: Number(count), at: Number(at) }
}

function newest(rows: readonly MessageRow[], dialect: Dialect, end: number, size: number): [number, number] {
  // Cut with the whole conversation in view: what follows this page also decides what belongs together.
  const { at } = split(messagesOf(rows), dialect, { minKeep: Math.min(rows.length, rows.length - end + size) })
  return [Math.min(at, end), end]
}

function oldest(rows: readonly MessageRow[], dialect: Dialect, start: number, size: number): [number, number] {
  const groups = turns(messagesOf(rows), dialect)
  const end = groups.find((group) => group.end >= start + size)?.end ?? rows.length
  return [start, end]
}

/** The turn with this number, from 1. */
export function turnOf(rows: readonly MessageRow[], turn: number, dialect: Dialect): Group {
  checkValue('A turn', turn, isTurn)
  const groups = turns(messagesOf(rows), dialect)
  const group = groups[turn - 1]
  if (group) return group
  throw new SutureError(
    'no-such-turn',
    `There is no turn ${turn}; the session has ${groups.length}. Call turns() for a list.`,
    { turn, known: groups.length },
  )
}

export function messagesOf(rows: readonly MessageRow[]): readonly unknown[] {
  return rows.map((row) => row.message)
}
