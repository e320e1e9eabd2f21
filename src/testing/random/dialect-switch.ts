/**
 * Conversations that switched from one dialect to another: the first rounds are written in one, the rest in the other. Every text,
 * argument and result is long and unique, so that a test can see whether it was kept.
 */

import { type Bit, type TalkEntry, validTalk } from './conversation.ts'
import { shapes } from './shapes.ts'
import type { Tape } from './tape.ts'

export interface Switched {
  readonly history: unknown[]
  /** Index of the first message of the second dialect. */
  readonly at: number
  /** Texts, arguments and results that must survive. */
  readonly words: readonly string[]
}

/** From the middle of the rounds on the second dialect is used; `whole`: everything is in the first dialect. */
export function switchedTalk(tape: Tape, from: string, to: string, whole: boolean): Switched {
  const [first, second] = [shapes[from]!, shapes[to]!]
  const form = tape.upTo(4)
  const words: string[] = []
  const plain = { think: false, server: false, system: false, signedCalls: false, noIds: false }
  const talk = validTalk(tape, { ...first.manners, ...plain, promptBesideResults: false }).map((entry) =>
    lengthened(entry, words),
  )
  const starts = talk.flatMap(({ role }, i) => (role === 'assistant' || role === 'user' ? [i] : []))
  const cut = whole ? talk.length : (starts[1 + tape.upTo(Math.max(1, starts.length - 1))] ?? talk.length)
  const before = talk.slice(0, cut).flatMap((entry) => first.write(entry, tape, false, form))
  const after = talk.slice(cut).flatMap((entry) => second.write(entry, tape, false, form))
  const [one, two] = [first.join?.(before) ?? before, second.join?.(after) ?? after]
  return { history: [...one, ...two], at: one.length, words }
}

function lengthened({ role, bits }: TalkEntry, words: string[]): TalkEntry {
  return { role, bits: bits.map((bit) => longer(bit, words)) }
}

function longer(bit: Bit, words: string[]): Bit {
  const word = `number ${words.length} of the words that have to survive`
  if (bit.kind === 'text') {
    words.push(word)
    return { ...bit, text: `${String(bit.text).trim()} ${word}` }
  }
  if (bit.kind === 'result') {
    words.push(word)
    return { ...bit, text: `${bit.text} ${word}`, media: false }
  }
  if (bit.kind !== 'call') return bit
  words.push(word)
  return { ...bit, args: JSON.stringify({ ...JSON.parse(bit.args), note: word }) }
}
