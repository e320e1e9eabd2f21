/** The records of a revert and of a fork, and the errors of changes that no longer apply. Writes nothing itself. */
import { isSutureError, SutureError } from '../core/index.ts'
import type { Log } from './log.ts'
import type { NewRecord } from './log-writer.ts'
import { type MessageRow, spansOf } from './message-reader.ts'
import { OpenRound } from './open-round.ts'
import { storedDiff } from './patch-records.ts'
import { encodeMessage, rawTextIn } from './raw-message.ts'
import { decode, encode, type MarkBody, type MessageBody, type PatchBody, UNREADABLE } from './record.ts'
import type { Overlay } from './state.ts'

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

/** The records of a fork with the first `keep` messages. */
export async function forkRecords(log: Log, keep: number, at: { at?: string }): Promise<readonly NewRecord[]> {
  const { line } = log.state
  const rows = (await log.messages.raw(line)).slice(0, keep)
  const mark: MarkBody = { mark: 'forked', from: log.id, head: log.head, hash: log.hash, ...at }
  const records: NewRecord[] = [{ kind: 'mark', body: encode(mark) }]
  const bodies = await bodiesOf(log, rows)
  // An unreadable record is copied as an empty one: patches count messages by index.
  const places = new Map(rows.map((row, i) => [row.seq, i + 2]))
  for (const row of rows) records.push({ kind: 'message', body: joinedBody(bodies.get(row.seq) ?? '', places) })
  const top = line.overlays.findLast(({ frozen }) => frozen <= keep)
  if (top && line.overlays.every((one) => one.frozen <= keep || one.seq > top.seq))
    records.push(await forkedPatch(log, rows, top, records.length))
  return records
}

async function bodiesOf(log: Log, rows: readonly MessageRow[]): Promise<Map<number, string>> {
  const bodies = new Map<number, string>()
  for (let i = 0; i < rows.length; ) {
    const from = rows[i]!.seq
    const entries = await log.store.read(log.id, from, from + 999)
    for (const entry of entries) bodies.set(entry.seq, entry.body)
    const before = i
    while (i < rows.length && rows[i]!.seq >= from && rows[i]!.seq <= from + 999) i++
    if (i === before) i++
  }
  return bodies
}

/** In the copy, accepted messages are plain messages, and late results refer to new positions. */
function joinedBody(text: string, places: ReadonlyMap<number, number>): string {
  const body = decode(text)
  if (body?.['proposed'] !== true && body?.['insteadOf'] === undefined) return text
  const { proposed: _proposed, asSent, insteadOf, ...rest } = body
  const at = places.get(insteadOf as number)
  const joined = at === undefined ? rest : { ...rest, insteadOf: at }
  return encodeMessage(joined as unknown as MessageBody, rawTextIn(text, asSent))
}

/** One patch record over the copied messages, with the effect of this overlay. */
async function forkedPatch(log: Log, rows: readonly MessageRow[], top: Overlay, upTo: number): Promise<NewRecord> {
  const { line } = log.state
  const base = await log.messages.base({ ...line, overlays: [top] })
  const kept = base.slice(0, base.length - (line.count - rows.length))
  const messages = (list: readonly MessageRow[]) => list.map(({ message }) => message)
  const body: PatchBody = { by: top.by, why: top.why, upTo, patch: storedDiff(messages(rows), messages(kept)) }
  return { kind: 'patch', body: encode(body) }
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
