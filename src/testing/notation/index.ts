/** The history notation: conversations with one line per message, in any dialect, and back. */
import type { Dialect } from '../../core/index.ts'
import { expressible, parseHistory } from './write.ts'

export { type DialectId, dialectIds } from '../shapes/index.ts'
export { forms } from './grammar.ts'
export { printHistory } from './print.ts'
export { expressible, parseHistory } from './write.ts'

/** A conversation in notation, independent of a dialect. */
export interface Notation {
  readonly text: string
  /** The native messages in a dialect. */
  in(dialect: string | Dialect): unknown[]
  /** Whether a dialect can express every line. */
  fits(dialect: string | Dialect): boolean
}

/** ``history`user: hello`.in('openai-chat')`` */
export function history(strings: TemplateStringsArray, ...values: readonly unknown[]): Notation {
  const text = String.raw(strings, ...values)
  const idOf = (dialect: string | Dialect) => (typeof dialect === 'string' ? dialect : dialect.id)
  return {
    text,
    in: (dialect) => parseHistory(text, idOf(dialect)),
    fits: (dialect) => expressible(text, idOf(dialect)),
  }
}
