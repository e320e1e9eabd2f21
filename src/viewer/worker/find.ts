/**
 * Finds a text in all rows, mounted or not. Case is ignored.
 */

import { textOf } from './cells.ts'
import { readable } from './preview.ts'
import type { Hit } from './protocol.ts'
import { storedAt, type View } from './view.ts'

const MOST = 5_000

export function find(view: View, text: string): readonly Hit[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  const hits: Hit[] = []
  for (let row = 0; row < view.lines.length && hits.length < MOST; row++) {
    const count = countIn(textAt(view, row), wanted)
    if (count > 0) hits.push({ row, count })
  }
  return hits
}

function textAt(view: View, row: number): string {
  const { sent, asked, status } = view.lines[row]!
  const texts: string[] = []
  if (sent >= 0) texts.push(...textsOf(view.sent, sent))
  if (asked >= 0 && status !== 'same') texts.push(...textsOf(view.asked, asked))
  if (sent < 0 && asked < 0) texts.push(readable(storedAt(view, row)?.message))
  return texts.join('\n').toLowerCase()
}

function textsOf(side: View['sent'], index: number): readonly string[] {
  return side.transcript.partsOf(index).map((part) => `${part.name ?? ''} ${part.id ?? ''} ${textOf(part)}`)
}

function countIn(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++
  return count
}
