/**
 * The interface of a native format for the arbitraries, and shared helpers.
 */
import type { Bit, Id, Manners, TalkEntry } from './conversation.ts'
import type { Tape } from './tape.ts'

export type Native = Record<string, unknown>

export interface Shape {
  readonly manners: Manners
  /** The native messages of one entry. `wild`: also in unusual forms; `form`: one of four, the same throughout a history. */
  write(entry: TalkEntry, tape: Tape, wild: boolean, form: number): unknown[]
  /** All messages joined, for formats in which messages are not written one by one. */
  join?(messages: readonly unknown[]): unknown[]
}

export const MANNERS: Manners = {
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

/** A key with its value, or no key at all. */
export function key(name: string, value: Id | unknown): Native {
  return value === undefined ? {} : { [name]: value }
}

/** Arguments as a value, for formats that have them so. */
export function parsed(args: string): unknown {
  if (args === '') return undefined
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** Blocks, or the text itself if there is only one text. */
export function listOrText(bits: readonly Bit[], tape: Tape, block: (bit: Bit) => unknown): unknown {
  const [only] = bits
  if (bits.length === 0) return tape.pick<unknown>(['', []])
  return bits.length === 1 && only!.kind === 'text' && tape.chance(60) ? only!.text : bits.map(block)
}
