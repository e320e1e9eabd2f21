/** The interface of a native format, and shared helpers. */
import type { Features, Message, Piece } from './pieces.ts'
import type { Tape } from './tape.ts'

export type Native = Record<string, unknown>

export interface Shape {
  readonly features: Features
  /**
   * The native messages of one message. At the end of the tape every variant is the one that most clients send. `wild`:
   * also in unusual forms; `form`: one of four, the same throughout a history, 0 is the usual one.
   */
  write(message: Message, tape: Tape, wild: boolean, form: number): unknown[]
  /** All messages joined, for formats in which messages are not written one by one. */
  join?(messages: readonly unknown[]): unknown[]
}

export const DEFAULT_FEATURES: Features = {
  system: true,
  think: false,
  server: false,
  signedCalls: false,
  noIds: false,
  sign: 'EqQBc2lnbmVk',
  textBesideCalls: true,
  promptBesideResults: false,
}

/** A transparent pixel. */
export const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A key with its value, or no key if there is no value. */
export function key(name: string, value: unknown): Native {
  return value === undefined ? {} : { [name]: value }
}

/** Arguments as a value, for formats that have them so; text that is not JSON stays text, as after a cut stream. */
export function parsed(args: string): unknown {
  if (args === '') return undefined
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** A single text as a string, as most clients send it; otherwise blocks. `nothing`: content without pieces. */
export function listOrText(
  pieces: readonly Piece[],
  tape: Tape,
  block: (piece: Piece) => unknown,
  nothing: readonly unknown[] = [[], ''],
): unknown {
  const [only] = pieces
  if (!only) return tape.pick(nothing)
  return pieces.length === 1 && only.kind === 'text' && !tape.chance(40) ? only.text : pieces.map(block)
}
