/**
 * A valid random conversation in a dialect, the same for the same seed. Each of its texts, arguments and results occurs once,
 * so that a test can see what was lost.
 */
import { unknownDialect } from '../../core/options.ts'
import { type Bit, validTalk } from '../random/conversation.ts'
import { shapes } from '../random/shapes.ts'
import { Tape } from '../random/tape.ts'
import type { Random } from './random.ts'

const DECISIONS = 220

export function conversation(dialectId: string, random: Random): unknown[] {
  const shape = Object.hasOwn(shapes, dialectId) ? shapes[dialectId] : undefined
  if (!shape) throw unknownDialect(dialectId, Object.keys(shapes))
  const tape = new Tape(Array.from({ length: DECISIONS }, () => random.below(65536)))
  const form = tape.upTo(4)
  let count = 0
  return validTalk(tape, shape.manners).flatMap((entry) => {
    const bits = entry.bits.map((bit) => unique(bit, ++count))
    return shape.write({ ...entry, bits }, tape, false, form)
  })
}

function unique(bit: Bit, number: number): Bit {
  if (bit.kind === 'text') return { ...bit, text: `${String(bit.text)} (sentence ${number} of this conversation)` }
  if (bit.kind === 'result') return { ...bit, text: `${bit.text}\noutput ${number} of a tool in this conversation` }
  if (bit.kind !== 'call') return bit
  return { ...bit, args: JSON.stringify({ ...JSON.parse(bit.args), note: `argument ${number} of this conversation` }) }
}
