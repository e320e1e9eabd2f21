/** Waits as long as the provider asks, or longer each time if it does not say, and sends the same bytes again. */
import { type Attempt, type Recovered, type Recovery, timesTried } from './types.ts'

export const wait: Recovery = { id: 'wait', maxTimes: 4, try: waitAWhile }

const FIRST = 500
const LONGEST = 60_000

function waitAWhile(attempt: Attempt): Recovered | undefined {
  const { body, rejection, options } = attempt
  const { maxWaitMs = LONGEST, random = Math.random } = options
  const requested = rejection.wait
  // An earlier attempt would be rejected again; a much later one is left to the caller.
  if (requested !== undefined && requested > maxWaitMs) return undefined
  const base = requested ?? FIRST * 2 ** timesTried(attempt, 'wait')
  const jitter = requested === undefined ? base * random() : Math.min(base, 1000) * 0.25 * random()
  const ms = Math.round(Math.min(base + jitter, Math.max(maxWaitMs, base)))
  return { id: 'wait', body, wait: ms, report: { rule: rejection.rule, wait: ms, asked: requested ?? null } }
}
