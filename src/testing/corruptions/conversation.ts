import { validConversation } from '../random/conversation.ts'
import { shapeOf, writeVariant } from '../shapes/index.ts'
import type { Piece } from '../shapes/pieces.ts'
import { Tape } from '../shapes/tape.ts'
import type { Random } from './random.ts'

const DECISIONS = 220

/**
 * A valid random conversation in a dialect, the same for the same seed. Each of its texts, arguments and results occurs
 * once, so that a test can see what was lost.
 */
export function conversation(dialectId: string, random: Random): unknown[] {
  const shape = shapeOf(dialectId)
  const tape = new Tape(Array.from({ length: DECISIONS }, () => random.below(65536)))
  const form = tape.upTo(4)
  let count = 0
  const messages = validConversation(tape, shape.features).map(({ role, pieces }) => ({
    role,
    pieces: pieces.map((piece) => unique(piece, ++count)),
  }))
  return writeVariant(messages, shape, tape, false, form)
}

function unique(piece: Piece, number: number): Piece {
  if (piece.kind === 'text')
    return { ...piece, text: `${String(piece.text)} (sentence ${number} of this conversation)` }
  if (piece.kind === 'result')
    return { ...piece, text: `${piece.text}\noutput ${number} of a tool in this conversation` }
  if (piece.kind !== 'call') return piece
  return {
    ...piece,
    args: JSON.stringify({ ...JSON.parse(piece.args), note: `argument ${number} of this conversation` }),
  }
}
