/**
 * Accepted messages that take the place of others: a client sent its last prompt again with other words. The replaced
 * messages stay in the log and leave the line. A record has positions only, so its size does not depend on the length
 * of the conversation.
 */
import { SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import type { MessageRow } from './message-reader.ts'
import type { Replaced } from './record.ts'
import { overlaysWithin, type Span, type State } from './state.ts'
import { openLength } from './view-changes.ts'

/** Messages that leave the line, by their positions in the log, and how many accepted ones replace them. */
export interface Replacement {
  readonly from: number
  /** The last one. Absent: the accepted messages are inserted before `from`. */
  readonly to?: number
  readonly by: number
  /** Positions of messages that were replaced before and come back, before the accepted ones. */
  readonly back?: readonly number[]
}

/** The fields of an acceptance that replaces messages. */
export interface Acceptance {
  readonly replaces: readonly Replaced[]
  /** Number of messages at the end of the line that are an open round afterward. */
  readonly tail: number
}

export async function acceptanceOf(log: Log, op: string, given: readonly Replacement[]): Promise<Acceptance> {
  const rows = await log.messages.raw(log.state.line)
  const index = new Map(rows.map(({ seq }, i) => [seq, i]))
  const replaces = given.map(({ from, to, by, back = [] }): Replaced => {
    const first = index.get(from)
    const last = to === undefined ? first : index.get(to)
    if (first === undefined || last === undefined) throw notOnLine(log.id, from)
    const place = { index: first, count: to === undefined ? 0 : last - first + 1, from, to: to ?? from, by }
    return back.length === 0 ? place : { ...place, back: spansFrom(back) }
  })
  const returned = new Map<number, MessageRow>()
  for (const { back = [] } of given) for (const seq of back) returned.set(seq, await returning(log, seq, index))
  const next = withReplaced(rows, log.waiting.get(op) ?? [], replaces, (seq) => returned.get(seq)!)
  return { replaces, tail: openLength(log, next) }
}

/** A message that is not on the line; it may not be in it twice. */
async function returning(log: Log, seq: number, line: ReadonlyMap<number, number>): Promise<MessageRow> {
  const row = line.has(seq) ? undefined : await log.messages.left(seq)
  if (!row) throw notOnLine(log.id, seq)
  return row
}

function spansFrom(positions: readonly number[]): readonly Span[] {
  const spans: Span[] = []
  for (const seq of positions) {
    const last = spans.at(-1)
    if (last && last[1] + 1 === seq) spans[spans.length - 1] = [last[0], seq]
    else spans.push([seq, seq])
  }
  return spans
}

/** The messages of the line after an acceptance. */
export function withReplaced<T>(
  line: readonly T[],
  accepted: readonly T[],
  replaces: readonly Replaced[],
  returned: (seq: number) => T,
): T[] {
  const next: T[] = []
  let at = 0
  let taken = 0
  for (const { index, count, by, back = [] } of replaces) {
    for (; at < index; at++) next.push(line[at]!)
    for (const [first, last] of back) for (let seq = first; seq <= last; seq++) next.push(returned(seq))
    for (const end = taken + by; taken < end && taken < accepted.length; taken++) next.push(accepted[taken]!)
    at = index + count
  }
  return [...next, ...line.slice(at), ...accepted.slice(taken)]
}

/** The state after an acceptance. `rows`: the accepted messages. */
export function replacedState(
  state: State,
  seq: number,
  rows: readonly MessageRow[],
  replaces: readonly Replaced[],
): State {
  const { reverted: _reverted, aborted: _aborted, ...rest } = state
  let { spans } = state.line
  let taken = 0
  let added = rows.length
  for (const { count, from, to, by, back = [] } of replaces) {
    const own = rows.slice(taken, taken + by).map((row): Span => [row.seq, row.seq])
    spans = splicedSpans(spans, from, count === 0 ? undefined : to, [...back, ...own])
    added += back.reduce((sum, [first, last]) => sum + last - first + 1, 0)
    taken += by
  }
  const removed = replaces.reduce((sum, { count }) => sum + count, 0)
  const overlays = overlaysWithin(state.line, replaces[0]!.index)
  const last = rows.slice(taken).map((row): Span => [row.seq, row.seq])
  const line = { spans: [...spans, ...last], count: state.line.count - removed + added, overlays }
  return { ...rest, changed: seq, line }
}

/** `to` undefined: nothing is removed, and the new ones are inserted before `from`. */
function splicedSpans(
  spans: readonly Span[],
  from: number,
  to: number | undefined,
  own: readonly Span[],
): readonly Span[] {
  const holding = (position: number) => spans.findIndex(([first, last]) => position >= first && position <= last)
  const begin = holding(from)
  const end = holding(to ?? from)
  if (begin < 0 || end < 0) return spans
  const before: Span = [spans[begin]![0], from - 1]
  const after: Span = [to === undefined ? from : to + 1, spans[end]![1]]
  const next = [...spans.slice(0, begin), before, ...own, after, ...spans.slice(end + 1)]
  return next.filter(([first, last]) => first <= last)
}

function notOnLine(session: string, position: number): SutureError {
  return new SutureError(
    'conflict',
    `Session ${session} has no message at position ${position} any more. Call refresh() and make the change again.`,
    { session, upTo: position },
  )
}
