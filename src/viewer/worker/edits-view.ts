/**
 * The repair as a comparison of each message that it changes, as a person reads it. Changes of records and of keys
 * around the history, which no message shows, follow. Of a very long text only the beginning is compared.
 */
import { diffLines, diffWordsWithSpace } from 'diff'
import { type Edit, pointer } from '../../core/index.ts'
import type { RecordChange } from '../../session-files/types.ts'
import { textOf } from './cells.ts'
import { json, preview, readableJson } from './preview.ts'
import type { EditsView, EditView, Stretch } from './protocol.ts'
import { storedAt, type View } from './view.ts'

/** Above this number of characters, lines are compared instead of words. */
const WORDS = 4_000

/** `repaired`: the same conversation, shown as it is after the repair. */
export function editsOf(view: View, repaired: View, limit: number): EditsView {
  const rows = repaired.lines.flatMap(({ status }, row) => (status === 'same' || status === 'excluded' ? [] : [row]))
  const named = rowsNamed(repaired, rows)
  const shownRow = shownRows(view, repaired)
  const changes = repaired.plan?.changes.filter((change) => !named.has(change)) ?? []
  const edits = [
    ...rows.map((row) => () => ofMessage(repaired, row, shownRow(row), named)),
    ...changes.map((change) => () => ofRecord(repaired, change)),
    ...repaired.patch.filter((edit) => !isOfHistory(edit, repaired)).map((edit) => () => ofKey(edit)),
  ]
  return { total: edits.length, edits: edits.slice(0, limit).map((make) => make()) }
}

/** For each change of a record that makes a message: the row of that message. */
function rowsNamed(view: View, rows: readonly number[]): ReadonlyMap<RecordChange, number> {
  const byLine = new Map<number, number>()
  const inserted = new Map<number, number>()
  for (const row of rows) {
    const [first, last] = storedAt(view, row)?.lines ?? [0, -1]
    for (let line = first; line <= last; line++) byLine.set(line, row)
    const before = view.lines[row]!.stored < 0 ? storedUpTo(view.lines, row) : -1
    const end = before < 0 ? undefined : storedAt(view, before)?.lines?.[1]
    if (end !== undefined) inserted.set(end, row)
  }
  const entries = (view.plan?.changes ?? []).flatMap((change) => {
    const line = lineOf(view, change)
    const row = (change.op === 'insert' ? inserted.get(line) : undefined) ?? byLine.get(line)
    return row === undefined ? [] : [[change, row] as const]
  })
  return new Map(entries)
}

function lineOf({ document }: View, change: RecordChange): number {
  return document.file!.records[change.op === 'insert' ? change.after : change.record]?.line ?? 0
}

/** The row of the shown view for a row of the repaired one; for an added message the row before it. */
function shownRows(view: View, { lines }: View): (row: number) => number {
  if (view.lines.length === lines.length) return (row) => row
  const rowOf = new Map(view.lines.map(({ stored }, row) => [stored, row]))
  return (row) => rowOf.get(lines[storedUpTo(lines, row)]?.stored ?? -1) ?? 0
}

/** The last row up to this one with a stored message; -1: none. */
function storedUpTo(lines: View['lines'], row: number): number {
  let at = row
  while (at >= 0 && lines[at]!.stored < 0) at--
  return at
}

function ofMessage(view: View, at: number, row: number, named: ReadonlyMap<RecordChange, number>): EditView {
  const { original, sent, stored, status } = view.lines[at]!
  const [side, index] = sent >= 0 ? [view.sent, sent] : [view.original, original]
  const lines = storedAt(view, at)?.lines
  const before = view.lines[storedUpTo(view.lines, at)]?.original ?? 0
  const place = lines ? `line ${lines[0]}` : stored < 0 ? `after #${before}` : `#${original}`
  const reasons = new Set([...named].flatMap(([{ why }, of]) => (of === at ? [why] : [])))
  const what = [`${side.shownRole(index)} message ${status}`, ...reasons].join(': ')
  return { place, what, row, difference: compareRow(view, at) }
}

function ofRecord(view: View, change: RecordChange): EditView {
  const value = change.op === 'insert' ? undefined : view.document.file!.records[change.record]?.value
  const before = value === undefined ? '' : json(value)
  const after = change.op === 'remove' ? '' : readableJson(new TextDecoder().decode(change.bytes))
  const place = `line ${lineOf(view, change)}`
  return { place, what: `record: ${change.why}`, row: -1, difference: difference(before, after) }
}

function isOfHistory({ path, ...edit }: Edit, { conversation }: View): boolean {
  const [first = edit.op === 'set' ? edit.key : 0] = path
  return typeof first === 'number' || first === conversation.dialect.key
}

/** A key of the request body beside the history. */
function ofKey(edit: Edit): EditView {
  const [before, after] = edit.op === 'set' ? [edit.was, edit.now] : [edit.remove, edit.insert]
  const place = pointer(edit.op === 'set' ? [...edit.path, edit.key] : edit.path)
  return { place, what: 'request changed', row: -1, difference: difference(readableJson(before), readableJson(after)) }
}

function difference(before: string, after: string, byWords = true): readonly Stretch[] {
  const [was, now] = [preview(before).text, preview(after).text]
  const changes = byWords && was.length + now.length < WORDS ? diffWordsWithSpace(was, now) : diffLines(was, now)
  return changes.map(({ added, removed, value }) => [added ? '+' : removed ? '-' : '=', value] as const)
}

/** A message before and after. As JSON only if what a person reads is the same: then an id or a key has changed. */
export function compareRow(view: View, row: number): readonly Stretch[] {
  const { original, sent } = view.lines[row]!
  const [was, now] = [textAt(view.original, original), textAt(view.sent, sent)]
  // Words of different parts are not compared with each other.
  if (was !== now) return difference(was, now, kindsOf(view.original, original) === kindsOf(view.sent, sent))
  return difference(json(view.original.list[original]), json(view.sent.list[sent]))
}

function kindsOf({ transcript }: View['sent'], index: number): string {
  return index < 0
    ? ''
    : transcript
        .partsOf(index)
        .map(({ kind }) => kind)
        .join()
}

function textAt(side: View['sent'], index: number): string {
  if (index < 0) return ''
  const parts = side.transcript.partsOf(index).map((part) => {
    const name = side.nameOf(part) ?? ''
    return part.kind === 'text' ? textOf(part) : `${part.kind} ${name}\n${textOf(part)}`
  })
  return [side.shownRole(index), ...parts].join('\n')
}
