/** Random conversations for fast-check, valid and broken, in the native shape of any dialect. */
import fc from 'fast-check'
import { validConversation } from './random/conversation.ts'
import { damage } from './random/damage.ts'
import { type Switched, switchedConversation } from './random/dialect-switch.ts'
import { spoil } from './random/malformed-messages.ts'
import { shapeOf, writeVariant } from './shapes/index.ts'
import { Tape } from './shapes/tape.ts'

/** Enough decisions for the longest conversation; fewer make a shorter one. */
const DECISIONS = 220

const tapes = fc.uint16Array({ maxLength: DECISIONS, size: 'max' })

/** A history in which lint finds nothing for the dialect's first provider. */
export function validHistory(dialectId: string): fc.Arbitrary<unknown[]> {
  const shape = shapeOf(dialectId)
  return tapes.map((numbers) => {
    const tape = new Tape(numbers)
    const form = tape.upTo(4)
    return writeVariant(validConversation(tape, shape.features), shape, tape, false, form)
  })
}

/** A valid history with one to four reported faults. */
export function brokenHistory(dialectId: string): fc.Arbitrary<unknown[]> {
  const shape = shapeOf(dialectId)
  return tapes.map((numbers) => {
    const tape = new Tape(numbers)
    const form = tape.upTo(4)
    const messages = damage(validConversation(tape, shape.features), tape)
    return spoil(writeVariant(messages, shape, tape, true, form), tape)
  })
}

/** A history whose first rounds are in one dialect and the rest in another; `whole`: all of it is in the first. */
export function switchedHistory(from: string, to: string, options: { whole?: boolean } = {}): fc.Arbitrary<Switched> {
  shapeOf(from)
  shapeOf(to)
  return tapes.map((numbers) => switchedConversation(new Tape(numbers), from, to, options.whole ?? false))
}
