/**
 * Random conversations for fast-check, valid and broken, in the native shape of any dialect.
 */
import fc from 'fast-check'
import { unknownDialect } from '../core/options.ts'
import { validTalk } from './random/conversation.ts'
import { damage } from './random/damage.ts'
import { type Switched, switchedTalk } from './random/dialect-switch.ts'
import { spoil } from './random/malformed-messages.ts'
import type { Shape } from './random/shape.ts'
import { shapes } from './random/shapes.ts'
import { Tape } from './random/tape.ts'

/** Enough decisions for the longest conversation; fewer make a shorter one. */
const DECISIONS = 220

const tapes = fc.uint16Array({ maxLength: DECISIONS, size: 'max' })

/** A history in which lint finds nothing for the dialect's first provider. */
export function validHistory(dialectId: string): fc.Arbitrary<unknown[]> {
  const shape = shapeOf(dialectId)
  return tapes.map((numbers) => {
    const tape = new Tape(numbers)
    const form = tape.upTo(4)
    return joined(
      shape,
      validTalk(tape, shape.manners).flatMap((entry) => shape.write(entry, tape, false, form)),
    )
  })
}

/** A valid history with one to four reported faults. */
export function brokenHistory(dialectId: string): fc.Arbitrary<unknown[]> {
  const shape = shapeOf(dialectId)
  return tapes.map((numbers) => {
    const tape = new Tape(numbers)
    const form = tape.upTo(4)
    const talk = damage(validTalk(tape, shape.manners), tape)
    return spoil(
      joined(
        shape,
        talk.flatMap((entry) => shape.write(entry, tape, true, form)),
      ),
      tape,
    )
  })
}

/** A history whose first rounds are in one dialect and the rest in another; `whole`: all of it is in the first. */
export function switchedHistory(from: string, to: string, options: { whole?: boolean } = {}): fc.Arbitrary<Switched> {
  shapeOf(from)
  shapeOf(to)
  return tapes.map((numbers) => switchedTalk(new Tape(numbers), from, to, options.whole ?? false))
}

function joined({ join }: Shape, messages: unknown[]): unknown[] {
  return join ? join(messages) : messages
}

function shapeOf(dialectId: string): Shape {
  const shape = Object.hasOwn(shapes, dialectId) ? shapes[dialectId] : undefined
  if (shape) return shape
  throw unknownDialect(dialectId, Object.keys(shapes))
}
