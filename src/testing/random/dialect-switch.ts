/**
 * Conversations that switched from one dialect to another: the first rounds are written in one, the rest in the other.
 * Every text, argument and result is long and unique, so that a test can see whether it was kept.
 */

import { shapeOf, writeVariant } from '../shapes/index.ts'
import type { Message, Piece } from '../shapes/pieces.ts'
import type { Tape } from '../shapes/tape.ts'
import { validConversation } from './conversation.ts'

/** A conversation that switched from one dialect to another. */
export interface Switched {
  readonly history: unknown[]
  /** Index of the first message of the second dialect. */
  readonly at: number
  /** Texts, arguments and results that must survive. */
  readonly words: readonly string[]
}

/** From the middle of the rounds on the second dialect is used; `whole`: everything is in the first dialect. */
export function switchedConversation(tape: Tape, from: string, to: string, whole: boolean): Switched {
  const [first, second] = [shapeOf(from), shapeOf(to)]
  const form = tape.upTo(4)
  const words: string[] = []
  const plain = { think: false, server: false, system: false, signedCalls: false, noIds: false }
  const messages = validConversation(tape, { ...first.features, ...plain, promptBesideResults: false }).map((entry) =>
    lengthened(entry, words),
  )
  const starts = messages.flatMap(({ role }, i) => (role === 'assistant' || role === 'user' ? [i] : []))
  const cut = whole ? messages.length : (starts[1 + tape.upTo(Math.max(1, starts.length - 1))] ?? messages.length)
  const before = writeVariant(messages.slice(0, cut), first, tape, false, form)
  const after = writeVariant(messages.slice(cut), second, tape, false, form)
  return { history: [...before, ...after], at: before.length, words }
}

function lengthened({ role, pieces }: Message, words: string[]): Message {
  return { role, pieces: pieces.map((piece) => longer(piece, words)) }
}

function longer(piece: Piece, words: string[]): Piece {
  const word = `number ${words.length} of the words that have to survive`
  if (piece.kind === 'text') {
    words.push(word)
    return { ...piece, text: `${String(piece.text).trim()} ${word}` }
  }
  if (piece.kind === 'result') {
    words.push(word)
    return { ...piece, text: `${piece.text} ${word}`, media: false }
  }
  if (piece.kind !== 'call') return piece
  words.push(word)
  return { ...piece, args: JSON.stringify({ ...JSON.parse(piece.args), note: word }) }
}
