/** The strategy `clear`: old tool results are replaced by one sentence. Recent results stay. */
import type { Transcript } from '../core/index.ts'
import { tokensOfList } from './assemble-plan.ts'
import type { PlanStep } from './plan-types.ts'
import type { PlanningInput } from './planning-input.ts'
import { clearResults, type ResultChoice } from './shorten-results.ts'
import type { Shrunk } from './shrink.ts'

/** The list after a strategy; without a step nothing has changed. */
export interface StrategyResult {
  readonly list: readonly unknown[]
  readonly step: PlanStep | undefined
  readonly shrunk?: readonly Shrunk[]
}

/** Clears results before this index, in whole batches. */
export function clear(
  input: PlanningInput,
  list: readonly unknown[],
  before: number,
  batch = input.strategies.clear.minReclaimTokens,
): StrategyResult {
  const done = clearResults(list, input.target.service.dialect, { ...choiceOf(input, before), batch })
  return stepOf(input, 'clear', list, done.history, done.calls)
}

/** The results before this index that a strategy may change. */
export function choiceOf({ seenFrom: from, strategies, pins, estimate }: PlanningInput, before: number): ResultChoice {
  return { before, from, exempt: strategies.clear.exempt, pins, estimate }
}

/** The step of a strategy; none if the list did not get shorter. */
export function stepOf(
  input: PlanningInput,
  strategy: PlanStep['strategy'],
  was: readonly unknown[],
  now: readonly unknown[],
  calls?: readonly string[],
): StrategyResult {
  const saves = now === was ? 0 : Math.round(tokensOfList(input, was) - tokensOfList(input, now))
  if (saves <= 0) return { list: was, step: undefined }
  return { list: now, step: { strategy, saves, ...(calls ? { calls } : {}) } }
}

/** Index where the newest `tokens` tokens begin: never after the last answer, nor after `minKeep`. */
export function keepFrom({ sums, list, seenFrom, transcript, stays }: PlanningInput, tokens: number): number {
  const all = sums[list.length]!
  let at = list.length
  while (at > seenFrom && all - sums[at]! < tokens) at--
  return Math.min(at, lastAnswer(transcript), stays)
}

/** Where the last answer begins: the model has not read its results yet. */
function lastAnswer(transcript: Transcript): number {
  let at = Math.max(0, transcript.lastAssistant())
  // One answer may be several items.
  while (at > 0 && transcript.dialect.items && transcript.isAssistant(at - 1)) at--
  return at
}
