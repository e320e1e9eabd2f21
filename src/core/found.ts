/**
 * What a walk finds, what the caller wants done about it, and where that begins.
 */
import type { Path } from './json.ts'
import type { Pairing } from './pairing.ts'
import type { Bound, Step } from './rule.ts'

export interface Policy {
  /** A call without a result: say that none was recorded, or take the call out. */
  readonly unanswered: 'answer' | 'omit'
  /** A result without a call: the user's marked note, nothing, or a call made anew for it. */
  readonly orphan: 'note' | 'drop' | 'rebuild'
  /** Two results for one call. */
  readonly duplicate: 'best' | 'first' | 'last'
}

export interface Found {
  readonly bound: Bound
  readonly id: string
  readonly at: Path
  readonly data: Readonly<Record<string, unknown>>
  readonly steps: readonly Step[]
}

/** A message and a place in it. */
export type Place = readonly [message: number, index: number]

/** Where the mends of these begin. */
export function firstPlace(all: readonly Found[], pairing: Pairing): Place | undefined {
  let first: Place | undefined
  for (const { steps } of all) for (const step of steps) first = earlier(first, placeOfStep(step, pairing))
  return first
}

function earlier(first: Place | undefined, second: Place | undefined): Place | undefined {
  if (!first || !second) return first ?? second
  return second[0] < first[0] || (second[0] === first[0] && second[1] < first[1]) ? second : first
}

/** Where a step begins to change the history. */
function placeOfStep(step: Step, pairing: Pairing): Place | undefined {
  if (step.do === 'body') return undefined
  if (step.do === 'settle') return [pairing.messageOf(step.call) + 1, -1]
  if (step.do === 'insert') return [step.after + 1, -1]
  if (step.do === 'move') return [Math.min(step.message, step.after + 1), -1]
  if (step.do === 'touch' && step.behind) return [step.message + 1, -1]
  if (step.do === 'rewrite' || step.do === 'touch') return [step.message, -1]
  return [step.part.message, step.part.index]
}
