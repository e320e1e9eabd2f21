/**
 * Changes of the line as records: a new beginning, a revert, their inverse, and the records of a fork.
 * Works out positions; writes nothing itself.
 */
import { apply, isSutureError, type Patch, SutureError } from '../core/index.ts'
import { HOLE, type Row, spansOf } from './lines.ts'
import type { Log, Record_ } from './log.ts'
import { encodeMessage, rawTextIn } from './raw.ts'
import { decode, encode, type Item, type MarkBody, type MessageBody, type PatchBody } from './record.ts'
import type { Line } from './state.ts'
import { Tail } from './tail.ts'
import type { View } from './view.ts'

/** What the view begins with after the patch, said by reference to what is in the log. */
export function beginningOf(line: Line, view: View, patch: Patch): Pick<PatchBody, 'frozen' | 'items' | 'insert'> {
  const { history: sent, base } = view
  const after = apply(sent, patch)
  const places = placesOf(line)
  const known = new Map<unknown, number>()
  base.forEach((row, i) => {
    if (typeof row.message === 'object' && row.message !== null) known.set(row.message, i)
  })
  let same = 0
  while (same < sent.length && same < after.length && sent.at(-1 - same) === after.at(-1 - same)) same++
  // The untouched end is kept as it was said: what a repair did to it is worked out anew when more follows.
  let from = sent.length - same
  while (from < sent.length && !known.has(sent[from])) from++
  const cut = from < sent.length ? known.get(sent[from])! : base.length
  const items: Item[] = []
  const insert: unknown[] = []
  for (const message of after.slice(0, after.length - (sent.length - from))) {
    const at = known.get(message)
    if (at !== undefined) put(items, places[at]!)
    else put(items, [insert.length, insert.push(message), 0])
  }
  const top = line.overlays.at(-1)
  const headLength = base.length - (line.count - (top?.frozen ?? 0))
  for (let i = cut; i < headLength; i++) put(items, places[i]!)
  return { frozen: Math.max(top?.frozen ?? 0, (top?.frozen ?? 0) + cut - headLength), items, insert }
}

function put(items: Item[], item: Item): void {
  const last = items.at(-1)
  if (last && last[2] === item[2] && last[1] === item[0])
    items[items.length - 1] = item[2] === undefined ? [last[0], item[1]] : [last[0], item[1], item[2]]
  else items.push(item)
}

/** Where each row of the view's base comes from. */
function placesOf(line: Line): readonly Item[] {
  const top = line.overlays.at(-1)
  const places: Item[] = []
  for (const [from, to, patch] of top?.items ?? []) {
    for (let i = from; i < to; i++) places.push(patch === undefined ? [i, i + 1] : [i, i + 1, patch])
  }
  for (let i = top?.frozen ?? 0; i < line.count; i++) places.push([i, i + 1])
  return places
}

export function revertMark(log: Log, rows: readonly Row[], turn: number, keep: number): MarkBody {
  const spans = spansOf(log.state.line.spans, rows, keep)
  return { mark: 'reverted', turn, keep, spans, tail: openLength(log, rows.slice(0, keep)) }
}

/** How many messages at the end are an open round. */
export function openLength(log: Log, rows: readonly Row[]): number {
  const tail = new Tail(log.dialect)
  tail.reset(
    rows
      .slice(-500)
      .map((row) => row.message)
      .filter((message) => message !== HOLE),
  )
  return tail.messages.length
}

/** The records of a session that begins with the first so many messages of this one. */
export async function forkRecords(log: Log, keep: number, at: { at?: string }): Promise<readonly Record_[]> {
  const { line } = log.state
  const rows = (await log.lines.raw(line)).slice(0, keep)
  const mark: MarkBody = { mark: 'forked', from: log.id, head: log.head, hash: log.hash, ...at }
  const records: Record_[] = [{ kind: 'mark', body: encode(mark) }]
  const bodies = await bodiesOf(log, rows)
  // A hole keeps its place in the copy, too: what is laid over the line counts by places.
  const places = new Map(rows.map((row, i) => [row.seq, i + 2]))
  for (const row of rows) records.push({ kind: 'message', body: joinedBody(bodies.get(row.seq) ?? '', places) })
  const top = line.overlays.findLast(({ frozen }) => frozen <= keep)
  if (top && line.overlays.every((one) => one.frozen <= keep || one.seq > top.seq))
    records.push(await overlayRecord(log, { ...line, overlays: [top] }, records.length))
  return records
}

async function bodiesOf(log: Log, rows: readonly Row[]): Promise<Map<number, string>> {
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

/** What was proposed and accepted is simply said, in a copy, and a late result points to where its place is now. */
function joinedBody(text: string, places: ReadonlyMap<number, number>): string {
  const body = decode(text)
  if (body?.['proposed'] !== true && body?.['insteadOf'] === undefined) return text
  const { proposed: _proposed, asSent, insteadOf, ...rest } = body
  const at = places.get(insteadOf as number)
  const joined = at === undefined ? rest : { ...rest, insteadOf: at }
  return encodeMessage(joined as unknown as MessageBody, rawTextIn(text, asSent))
}

async function overlayRecord(log: Log, line: Line, upTo: number): Promise<Record_> {
  const top = line.overlays[0]!
  const insert: unknown[] = []
  const items: Item[] = []
  const base = await log.lines.base(line)
  let at = 0
  for (const [from, to, patch] of top.items) {
    if (patch === undefined) items.push([from, to])
    else {
      items.push([insert.length, insert.length + to - from, 0])
      for (const row of base.slice(at, at + to - from)) insert.push(row.message)
    }
    at += to - from
  }
  const body: PatchBody = { by: top.by, why: top.why, upTo, frozen: top.frozen, items, insert }
  return { kind: 'patch', body: encode(body) }
}

export function changedSince(upTo: number): SutureError {
  return new SutureError(
    'conflict',
    `The view at position ${upTo} is not known here or has changed since. Read the view again and make the change for that one.`,
    { upTo },
  )
}

/** A patch that does not fit was made for something else. */
export function fitting<T>(make: () => T, upTo: number): T {
  try {
    return make()
  } catch (error) {
    throw isSutureError(error, 'stale-patch') ? changedSince(upTo) : error
  }
}
