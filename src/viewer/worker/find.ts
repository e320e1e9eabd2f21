/** Finds a text in all rows, mounted or not. Case is ignored. */
import { textOf } from './cells.ts'
import { readable } from './preview.ts'
import { storedAt, type View } from './view.ts'

const MOST = 5_000

/** The rows that contain the text. */
export function find(view: View, text: string): readonly number[] {
  const wanted = text.toLowerCase()
  const rows: number[] = []
  if (wanted === '') return rows
  for (let row = 0; row < view.lines.length && rows.length < MOST; row++)
    if (textAt(view, row).includes(wanted)) rows.push(row)
  return rows
}

function textAt(view: View, row: number): string {
  const { sent, original, status } = view.lines[row]!
  const texts: string[] = []
  if (sent >= 0) texts.push(...textsOf(view.sent, sent))
  if (original >= 0 && status !== 'same') texts.push(...textsOf(view.original, original))
  if (sent < 0 && original < 0) texts.push(readable(storedAt(view, row)?.message))
  return texts.join('\n').toLowerCase()
}

function textsOf(side: View['sent'], index: number): readonly string[] {
  return side.transcript.partsOf(index).map((part) => `${part.name ?? ''} ${part.id ?? ''} ${textOf(part)}`)
}
