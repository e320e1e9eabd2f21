/**
 * Shared by the writers of all dialects: the forms of a text, a key, arguments, a signature.
 */
import type { Piece, Word } from './grammar.ts'

export type Native = Record<string, unknown>

/** The name of the tool that the last call with this id called. */
export type NameOf = (id: Word) => string

/** One transparent pixel. */
export const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A single text as a string, as most clients send it; otherwise blocks. */
export function stringOr(pieces: readonly Piece[], block: (piece: Piece) => unknown, nothing: unknown): unknown {
  const [first] = pieces
  if (first === undefined) return nothing
  return pieces.length === 1 && first.kind === 'text' ? first.text : pieces.map(block)
}

/** A key with its value, or no key if there is no value. */
export function key(name: string, word: Word): Native {
  return word === undefined ? {} : { [name]: word }
}

/** Arguments as a value, for dialects that have them so; text that is not JSON stays text, as after a cut stream. */
export function parsed(args: string): unknown {
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** A made-up signature: derived from what it signs, so that a test can see one that was moved. Looks like base64. */
export function sign(text: string): string {
  return 'gAAA' + Array.from(text, (letter) => letter.charCodeAt(0).toString(36)).join('')
}
