/**
 * Clears old results before the limit is reached, if that is cheaper: each request reads the whole history, a changed
 * prefix is written once. If results grow by d tokens per request before Y tokens that must be written again, the
 * cheapest batch is √(2(w−r)Yd/r) tokens: clearing then pays for itself within half of the requests it took to gather
 * them.
 */
import { assemblePlan } from './assemble-plan.ts'
import { clear, keepFrom } from './clear.ts'
import type { Plan, Reason } from './plan-types.ts'
import type { PlanningInput } from './planning-input.ts'
import { breakEvenOf } from './prices.ts'

/** Minimum tokens to clear when the cache has expired. */
const COLD = 2_000
/** A result of this size is not longer than the sentence that would replace it. */
const SENTENCE = 64
/** At the beginning of a turn the model has read the results of earlier turns: only this many of them stay. */
const RESULTS = 3

/** Undefined: there is nothing to clear, or it does not pay yet. */
export function clearEarly(input: PlanningInput): Plan | undefined {
  const { strategies, cold } = input
  if (!strategies.ladder.includes('clear') || strategies.clear.payback === 0) return undefined
  const before = Math.min(Math.max(keepFrom(input, strategies.clear.keepTokens), readBefore(input)), input.stays)
  // If the cache has expired, everything is written again anyway, so that a small batch costs nothing.
  const least = cold ? Math.min(COLD, strategies.clear.minReclaimTokens) : strategies.clear.minReclaimTokens
  const found = gathered(input, before)
  if (found.tokens < least || !isWorth(input, found)) return undefined
  const { list, step } = clear(input, input.list, before, cold ? 1 : strategies.clear.minReclaimTokens)
  if (!step || step.saves < least / 2) return undefined
  const plan = assemblePlan(input, list, [step], [])
  const { requests } = plan.breakEven
  if (!plan.changesAnything || requests === undefined || requests > within(input, found)) return undefined
  const why: Reason =
    cold && requests === 0
      ? { code: 'cold', message: 'The cache has expired, so clearing old results costs nothing.' }
      : { code: 'pays', message: `Clearing old results pays for itself after ${requests} requests.` }
  return { ...plan, why: [why] }
}

/** Results that may be cleared: their tokens, the index of the first, and the number of answers since. */
interface Gathered {
  readonly tokens: number
  readonly first: number
  readonly answers: number
}

function gathered({ results, transcript, measure, seenFrom }: PlanningInput, before: number): Gathered {
  let tokens = 0
  let first = -1
  let answers = 0
  for (let i = seenFrom; i < before; i++) {
    const size = results[i + 1]! - results[i]!
    if (size > SENTENCE) {
      tokens += size
      if (first < 0) first = i
    }
    const opens = transcript.isAssistant(i) && (i === 0 || !transcript.isAssistant(i - 1))
    if (first >= 0 && opens) answers++
  }
  return { tokens: tokens * measure.scale, first, answers: answers + 1 }
}

/** A cheap check of the sums: most requests end here. */
function isWorth(input: PlanningInput, found: Gathered): boolean {
  const { measure, sums, prices, cold } = input
  const after = measure.total - found.tokens
  const prefix = measure.around + sums[found.first]! * measure.scale
  const { requests } = breakEvenOf({ before: measure.total, after, prefix, cold }, prices)
  return requests !== undefined && requests <= within(input, found)
}

function within({ strategies }: PlanningInput, { answers }: Gathered): number {
  return strategies.clear.payback ?? answers / 2
}

/** At the beginning of a turn: the oldest result that stays. Within a turn only the token count decides. */
function readBefore({ transcript, results, list }: PlanningInput): number {
  const last = list.length - 1
  if (last < 0 || !transcript.isPrompt(last)) return 0
  let left = RESULTS
  for (let i = last; i >= 0; i--) if (results[i + 1]! > results[i]! && --left === 0) return i
  return 0
}
