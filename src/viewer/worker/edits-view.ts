/** Edits and rows as comparisons of two texts. Of a very long text only the beginning is compared. */
import { diffLines, diffWordsWithSpace } from 'diff'
import { type Edit, pointer } from '../../core/index.ts'
import { whatOf } from '../../guard/changes-in-words.ts'
import type { RecordChange } from '../../session-files/types.ts'
import { json, preview, readableJson } from './preview.ts'
import type { EditView, Stretch } from './protocol.ts'
import { messageAt, storedAt, type View } from './view.ts'

/** Above this number of characters, lines are compared instead of words. */
const WORDS = 4_000
const MOST = 40_000

export function editsOf(view: View, limit: number): readonly EditView[] {
  if (view.plan && view.document.file) return fileEdits(view, view.plan.changes.slice(0, limit))
  return view.patch.slice(0, limit).map((edit) => {
    const path = edit.op === 'set' ? [...edit.path, edit.key] : [...edit.path, edit.index]
    const message = messageAt(path)
    const [before, after] = sidesOf(edit)
    const row = view.rowOfOriginal[Math.min(message, view.rowOfOriginal.length - 1)] ?? -1
    return {
      place: pointer(path),
      what: whatOf(edit, view.conversation.dialect),
      row,
      difference: previewed(before, after),
    }
  })
}

/** Changes of records, each with its reason. */
function fileEdits(view: View, changes: readonly RecordChange[]): readonly EditView[] {
  const file = view.document.file!
  return changes.map((change) => {
    const record = file.records[change.op === 'insert' ? change.after : change.record]
    const line = record?.line ?? 0
    const row = view.lines.findIndex((_, i) => (storedAt(view, i)?.lines?.[0] ?? -1) >= line)
    const before = change.op === 'insert' ? '' : json(record?.value)
    const after = change.op === 'remove' ? '' : readableJson(new TextDecoder().decode(change.bytes))
    return { place: `line ${line}`, what: change.why, row, difference: previewed(before, after) }
  })
}

function sidesOf(edit: Edit): readonly [string, string] {
  if (edit.op === 'set') return [textOf(edit.was), textOf(edit.now)]
  return [edit.remove.map(textOf).join('\n'), edit.insert.map(textOf).join('\n')]
}

function textOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : json(value)
}

function previewed(before: string, after: string): readonly Stretch[] {
  return difference(preview(before).text, preview(after).text)
}

function difference(before: string, after: string): readonly Stretch[] {
  const [was, now] = [before.slice(0, MOST), after.slice(0, MOST)]
  const changes = was.length + now.length < WORDS ? diffWordsWithSpace(was, now) : diffLines(was, now)
  return changes.map(({ added, removed, value }) => [added ? '+' : removed ? '-' : '=', value] as const)
}

export function compareRow(view: View, row: number): readonly Stretch[] {
  const { original, sent } = view.lines[row]!
  const was = original < 0 ? '' : json(view.conversation.next[original])
  const now = sent < 0 ? '' : json(view.sent.list[sent])
  return difference(was, now)
}
