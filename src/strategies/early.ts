/**
 * Clearing before it is due, for the price alone: each request reads everything again, while a changed prefix is written once.
 * Results that gather at d tokens a request in front of Y tokens that would be written anew are cheapest cleared whenever they are √(2(w−r)Yd/r):
 * that is when clearing pays within half as many requests as it took to gather them.
 */
import { HAS_RESULT, ROLE } from '../core/index.ts'
import { clear, keepFrom } from './clear.ts'
import { planFor } from './outcome.ts'
import type { Desk, Plan, Reason } from './plan-types.ts'
import { paysOf } from './prices.ts'

/** Tokens that are worth clearing on a cold cache. */
const COLD = 2_000
/** A result this small is a sentence already. */
const SENTENCE = 64
/** When a turn begins, the results of the turns before have been read: so many stay, as far as they are recent at all. */
const RESULTS = 3

/** Undefined: nothing to clear, or not worth it yet. */
export function clearEarly(desk: Desk): Plan | undefined {
  const { policy, cold } = desk
  if (!policy.ladder.includes('clear') || policy.clear.payback === 0) return undefined
  const before = Math.min(Math.max(keepFrom(desk, policy.clear.keep), readBefore(desk)), desk.stays)
  // On a cold cache everything is written anew anyway: a small batch costs nothing either.
  const least = cold ? Math.min(COLD, policy.clear.minReclaim) : policy.clear.minReclaim
  const found = gathered(desk, before)
  if (found.tokens < least || !isWorth(desk, found)) return undefined
  const { list, step } = clear(desk, desk.list, before, cold ? 1 : policy.clear.minReclaim)
  if (!step || step.saves < least / 2) return undefined
  const plan = planFor(desk, list, [step], [])
  const { after } = plan.pays
  if (!plan.acts || after === undefined || after > within(desk, found)) return undefined
  const why: Reason =
    cold && after === 0
      ? { code: 'cold', says: 'The cache is gone, so that clearing old results costs nothing.' }
      : { code: 'pays', says: `Clearing old results pays after ${after} requests.` }
  return { ...plan, why: [why] }
}

/** Results that may be cleared: their tokens, where the first stands, and how many answers came while they gathered. */
interface Gathered {
  readonly tokens: number
  readonly first: number
  readonly answers: number
}

function gathered({ counted, flags, measure, seenFrom }: Desk, before: number): Gathered {
  let tokens = 0
  let first = -1
  let answers = 0
  for (let i = seenFrom; i < before; i++) {
    const size = counted.results[i]!
    if (size > SENTENCE) {
      tokens += size
      if (first < 0) first = i
    }
    const opens = (flags[i]! & 7) === ROLE.assistant && (i === 0 || (flags[i - 1]! & 7) !== ROLE.assistant)
    if (first >= 0 && opens) answers++
  }
  return { tokens: tokens * measure.scale, first, answers: answers + 1 }
}

/** A glance at the sums, before anything is made: most requests end here. */
function isWorth(desk: Desk, found: Gathered): boolean {
  const { measure, sums, prices, cold } = desk
  const after = measure.total - found.tokens
  const prefix = measure.around + sums[found.first]! * measure.scale
  const pays = paysOf({ before: measure.total, after, prefix, cold }, prices)
  return pays.after !== undefined && pays.after <= within(desk, found)
}

function within({ policy }: Desk, { answers }: Gathered): number {
  return policy.clear.payback ?? answers / 2
}

/** At the beginning of a turn: the place of the oldest of the last results that stay. Within a turn what is recent is told by its tokens alone. */
function readBefore({ flags, counted, list }: Desk): number {
  const last = list.length - 1
  if (last < 0 || (flags[last]! & 7) !== ROLE.user || (flags[last]! & HAS_RESULT) !== 0) return 0
  let left = RESULTS
  for (let i = last; i >= 0; i--) if (counted.results[i]! > 0 && --left === 0) return i
  return 0
}
