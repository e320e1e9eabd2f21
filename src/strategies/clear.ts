/**
 * Old tool results replaced by a sentence, as a step of a plan: what is recent stays, and what goes at once is worth it.
 */
import { sizeOf } from './outcome.ts'
import type { Desk, PlanTarget, Step } from './plan-types.ts'
import { clearResults } from './results.ts'
import type { Shrunk } from './shrink.ts'

/** A list after a strategy; without a step nothing has changed. */
export interface Done {
  readonly list: readonly unknown[]
  readonly step: Step | undefined
  readonly shrunk?: readonly Shrunk[]
}

/** The results before this place, in whole batches. */
export function clear(
  desk: Desk,
  list: readonly unknown[],
  before: number,
  batch = desk.policy.clear.minReclaim,
): Done {
  const { policy, estimate, target } = desk
  const { exempt } = policy.clear
  const done = clearResults(list, target.service.dialect, {
    before,
    from: desk.seenFrom,
    exempt,
    pins: desk.pins,
    estimate,
    batch,
  })
  return stepOf(desk, 'clear', list, done.history, done.calls)
}

/** What a strategy took away; nothing if that made it no shorter. */
export function stepOf(
  desk: Desk,
  strategy: Step['strategy'],
  was: readonly unknown[],
  now: readonly unknown[],
  calls?: readonly string[],
): Done {
  if (now === was) return { list: was, step: undefined }
  const saves = Math.round(sizeOf(desk, was) - sizeOf(desk, now))
  return saves <= 0
    ? { list: was, step: undefined }
    : { list: now, step: { strategy, saves, ...(calls ? { calls } : {}) } }
}

/** Where the newest so many tokens begin; never inside the last round of a history, nor behind what the caller wants to stay. */
export function keepFrom({ sums, list, seenFrom, target, stays }: Desk, tokens: number): number {
  const all = sums[list.length]!
  let at = list.length
  while (at > seenFrom && all - sums[at]! < tokens) at--
  return Math.min(at, lastAnswered(list, target), stays)
}

/** The place of the last answer: its results were not read by anyone yet. */
function lastAnswered(list: readonly unknown[], { service: { dialect } }: PlanTarget): number {
  let at = list.length - 1
  while (at > 0 && dialect.read(list[at], at, []) !== 'assistant') at--
  // Items: the answer begins with the first of its run.
  while (at > 0 && dialect.items && dialect.read(list[at - 1], at - 1, []) === 'assistant') at--
  return Math.max(0, at)
}
