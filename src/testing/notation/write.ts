/**
 * Converts notation into native messages, in the usual form of each dialect, written by hand from the vendors' docs. Imports no dialect:
 * what reads a history must not be what wrote it.
 */

import { SutureError } from '../../core/index.ts'
import { checkValue, unknownDialect } from '../../core/options.ts'
import { type Line, parseLines } from './grammar.ts'
import { type Writer, writers } from './writers.ts'

export type DialectId = keyof typeof writers

export const dialectIds = Object.keys(writers) as readonly DialectId[]

/** Native messages of a dialect. Throws `unknown-notation` for a line that cannot be parsed or that the dialect cannot express. */
export function parseHistory(text: string, dialectId: string): unknown[] {
  checkValue('A history in notation', text, 'string')
  checkValue('The id of a dialect', dialectId, 'string')
  const { write } = writerOf(dialectId)
  const lines = parseLines(text)
  const names = new Map<string, string>()
  return lines.flatMap((line, index) => {
    if (!canSay(line, dialectId)) throw unsayable(line, dialectId)
    for (const piece of line.pieces) {
      if (piece.kind === 'call' || piece.kind === 'server') names.set(piece.id ?? '', piece.name ?? '')
    }
    return write(line, (id) => names.get(id ?? '') ?? 'unknown_tool', index)
  })
}

/** Whether a dialect can express every line. */
export function expressible(text: string, dialectId: string): boolean {
  return parseLines(text).every((line) => canSay(line, dialectId))
}

function canSay(line: Line, dialectId: string): boolean {
  const { says, ranks } = writerOf(dialectId)
  const legal = says[line.role]
  if (legal === undefined) return false
  if (line.pieces.length === 0) return legal.includes('empty')
  for (const piece of line.pieces) {
    const kind = (piece.kind === 'think' || piece.kind === 'call') && piece.signed ? `${piece.kind}!` : piece.kind
    if (!legal.includes(kind)) return false
  }
  return !ranks || isOrdered(line, ranks)
}

/** If reasoning, text and calls have a key each, no other order is possible; rank 0 is a key for one piece alone. */
function isOrdered({ pieces }: Line, ranks: Readonly<Record<string, number>>): boolean {
  const of = pieces.map(({ kind }) => ranks[kind] ?? 1)
  return of.every((rank, i) => i === 0 || rank > of[i - 1]! || (rank === of[i - 1] && rank > 0))
}

function writerOf(dialectId: string): Writer {
  if (Object.hasOwn(writers, dialectId)) return writers[dialectId as DialectId]
  throw unknownDialect(dialectId, dialectIds)
}

function unsayable(line: Line, dialectId: string): SutureError {
  const kinds = line.pieces.map(({ kind }) => kind).join(' | ') || 'empty'
  return new SutureError('unknown-notation', `${dialectId} has no shape for the line "${line.role}: ${kinds}".`, {
    line,
  })
}
